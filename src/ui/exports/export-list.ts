import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PRIVATE_FILE } from '../../model/index.ts';
import type { ExportLine } from '../api/index.ts';
import type { UiContext } from '../context.ts';

/** The files that were exported from the page. */
export interface ExportList {
  /** The latest first. */
  read(): ExportLine[];
  add(line: ExportLine): void;
}

const MOST_LINES = 50;

export function openExportList({ folder, ownFolder }: Pick<UiContext, 'folder' | 'ownFolder'>): ExportList {
  const file = () => join(ownFolder(), 'exports.json');
  const read = (): ExportLine[] => {
    if (!existsSync(file())) return [];
    const lines = JSON.parse(readFileSync(file(), 'utf8')) as ExportLine[];
    return lines.map((line) => ({ ...line, exists: existsSync(resolve(folder, line.file)) }));
  };
  return {
    read,
    add(line) {
      const others = read().filter((other) => other.file !== line.file);
      // A reader sees the old list or the new one.
      const next = `${file()}.next`;
      writeFileSync(next, JSON.stringify([line, ...others].slice(0, MOST_LINES)), { mode: PRIVATE_FILE });
      renameSync(next, file());
    },
  };
}
