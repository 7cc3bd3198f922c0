import { join } from 'node:path';
import { existsSync, resolve } from '../../model/files/fs.ts';
import type { ExportLine } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import { readState, writeState } from '../state-files.ts';

/** The files that were exported from the page. */
export interface ExportList {
  /** The latest first. */
  read(): ExportLine[];
  add(line: ExportLine): Promise<void>;
}

const MOST_LINES = 50;

export function openExportList({ folder, ownFolder }: Pick<UiContext, 'folder' | 'ownFolder'>): ExportList {
  const file = () => join(ownFolder(), 'exports.json');
  const read = (): ExportLine[] => {
    const lines = readState<ExportLine[]>(file()) ?? [];
    return lines.map((line) => ({ ...line, exists: existsSync(resolve(folder, line.file)) }));
  };
  return {
    read,
    async add(line) {
      const others = read().filter((other) => other.file !== line.file);
      await writeState(file(), JSON.stringify([line, ...others].slice(0, MOST_LINES)));
    },
  };
}
