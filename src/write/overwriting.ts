import { type BigIntStats, fstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { resolve, statSync } from '../model/files/fs.ts';
import { ConfigError, exportsFolder, isOwnName } from '../model/index.ts';

/** A file that a command reads or writes. */
export interface NamedFile {
  /** `-` is standard input for a file that is read, and standard output for one that is written. */
  readonly path: string;
  /** The file as messages name it, such as `--out clean.csv`. */
  readonly says: string;
}

/**
 * Refuses to write a file that the command reads, and to write two outputs to one file. Links, upper case and folders
 * in the paths make no difference. Also refuses names that storeport uses in the folder `home`, even if no such file
 * exists yet. A path that is not a regular file (a terminal, a pipe, /dev/null) may be named repeatedly. Throws
 * ConfigError.
 */
export function refuseOverwriting(
  written: readonly NamedFile[],
  read: readonly NamedFile[],
  home?: string | undefined,
): void {
  const sources = new Map(read.map((file) => [identityOf(file.path, STANDARD_INPUT), file]));
  const places = new Map<string, NamedFile>();
  for (const file of written) {
    const identity = identityOf(file.path, STANDARD_OUTPUT);
    if (identity === undefined) continue;
    const source = sources.get(identity);
    if (source)
      throw new ConfigError(`${file.says} is the same file as ${source.says}, which would be lost.`, [
        'Nothing was written. Name another file.',
      ]);
    if (home !== undefined && file.path !== '-' && isKeptIn(home, resolve(file.path)))
      throw new ConfigError(`${file.says} is the name of a file that storeport keeps in ${home}.`, [
        'Nothing was written. Name another file.',
      ]);
    const other = places.get(identity);
    if (other)
      throw new ConfigError(`${other.says} and ${file.says} are one file.`, [
        'Nothing was written. Name two files.',
      ]);
    places.set(identity, file);
  }
}

const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;

/** True on systems on which `A.csv` and `a.csv` are usually one file. */
const FOLDS_CASE = process.platform === 'win32' || process.platform === 'darwin';

/** Identifies the file of a path, whether it exists or not. Undefined if it is not a regular file. */
function identityOf(path: string, standard: number): string | undefined {
  const found = path === '-' ? statOf(() => fstatSync(standard, { bigint: true })) : statAt(path);
  if (found) return found.isFile() ? numbersOf(found) : undefined;
  return path === '-' ? undefined : placeOf(resolve(path));
}

function isKeptIn(home: string, path: string): boolean {
  const folder = folderOf(dirname(path));
  if (folder === folderOf(resolve(exportsFolder(home)))) return true;
  return folder === folderOf(resolve(home)) && isOwnName(ownName(path));
}

function folderOf(path: string): string {
  const found = statAt(path);
  return found ? numbersOf(found) : placeOf(path);
}

function ownName(path: string): string {
  const name = basename(path).normalize('NFC');
  return FOLDS_CASE ? name.toLowerCase() : name;
}

/** Identifies a file that does not exist yet: by its name in the nearest folder that exists. */
function placeOf(path: string): string {
  const folder = dirname(path);
  const isRoot = folder === path && !statAt(folder);
  return isRoot ? ownName(path) : join(folderOf(folder), ownName(path));
}

function statAt(path: string): BigIntStats | undefined {
  return statOf(() => statSync(path, { bigint: true }));
}

/** Returns undefined for a file that cannot be examined: it does not exist yet, or opening it will fail. */
function statOf(look: () => BigIntStats): BigIntStats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function numbersOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
