import { basename, dirname } from 'node:path';
import { MistypedError } from '../errors.ts';
import { readdirSync } from './fs.ts';

/** Names of a folder that are compared. Larger folders would make an error slow. */
const MOST_NAMES = 20_000;

/** Error about a file that does not exist. `endings`: those of files that may have been meant; default: all. */
export function missingFile(file: string, what = 'file', endings: readonly string[] = ['']): MistypedError {
  const beside = () =>
    namesIn(dirname(file))
      .filter((name) => endings.some((ending) => name.endsWith(ending)))
      .map((name) => (basename(file) === file ? name : `${file.slice(0, -basename(file).length)}${name}`));
  return new MistypedError(`There is no ${what} ${file}.`, [], { word: file, names: beside });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, MOST_NAMES);
  } catch {
    // Without the folder, no file is near.
    return [];
  }
}
