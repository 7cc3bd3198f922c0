import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files under `--home` and reports hold customers' data: only their owner may read them. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** The name of the folder for `--home` that we choose ourselves. */
const OWN_FOLDER = '.storeport';
const EXPORTS_FOLDER = 'exports';

/** Names of our files under `--home`, with those that SQLite and renames put beside them. */
const OWN_FILES: readonly RegExp[] = [
  /^ledger\.db(?:-(?:wal|shm|journal))?$/,
  /^ledger(?:-open|-write)?\.lock(?:-journal)?$/,
  /^ledger\.sums(?:\.next)?$/,
  /^(?:store|export)-[0-9a-f]{16}\.(?:json|lock(?:-journal)?)$/,
  /^rate-[0-9a-f]{16}\.json(?:\.\d+)?$/,
  /^\d{8}-\d{6}-[0-9a-f]+\.(?:log|tip)$/,
];
const EXPORT_FILES: readonly RegExp[] = [/^\.?[0-9a-f]{16}\.(?:keys|next)/];

/** Paths of our files that exist under `--home`. */
export function ownFilesIn(home: string): string[] {
  const exported = exportsFolder(home);
  return [
    ...namesIn(home).flatMap((name) => (isOwnName(name) ? [join(home, name)] : [])),
    ...namesIn(exported).map((name) => join(exported, name)),
  ];
}

/** True for a name under `--home` that is ours, even if there is no such file yet. */
export function isOwnName(name: string): boolean {
  return OWN_FILES.some((pattern) => pattern.test(name));
}

/** The folder under `--home` that holds nothing but our files. */
export function exportsFolder(home: string): string {
  return join(home, EXPORTS_FOLDER);
}

/**
 * Makes a folder that only its owner can enter. Missing folders above it follow the umask, and a folder that is there
 * keeps its permissions. Returns the highest folder that was made; undefined where none was.
 */
export function makePrivateFolder(folder: string): string | undefined {
  const above = mkdirSync(dirname(folder), { recursive: true });
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    return above ?? folder;
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return above;
    throw error;
  }
}

/**
 * Makes an empty file that only its owner can read, if there is none. SQLite would make it by the umask, and gives the files
 * beside it the same permissions. An existing file is not opened, since closing it would end SQLite's locks on it.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folder of `--home`. If it exists, its files become private, since earlier versions let others read them. A folder
 * that does not have our name may hold other files too, so it keeps its permissions. Returns what `makePrivateFolder` does.
 */
export function makeHome(home: string): string | undefined {
  const made = makePrivateFolder(home);
  if (made !== undefined) return made;
  if (basename(home) === OWN_FOLDER) restrict(home, PRIVATE_FOLDER);
  restrictFiles(home, OWN_FILES);
  const exported = exportsFolder(home);
  if (lstatSync(exported, { throwIfNoEntry: false })?.isDirectory()) restrictFiles(exported, EXPORT_FILES);
  return undefined;
}

function restrictFiles(folder: string, names: readonly RegExp[]): void {
  for (const name of namesIn(folder))
    if (names.some((pattern) => pattern.test(name))) restrict(join(folder, name), PRIVATE_FILE);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that cannot be listed stays as it is. The code that opens its files reports what is wrong.
    return [];
  }
}

/** Takes permissions away, never gives any. Files of other users and links stay as they are. */
function restrict(path: string, most: number): void {
  if (process.platform === 'win32') return;
  try {
    const found = lstatSync(path);
    const isPlain = most === PRIVATE_FOLDER ? found.isDirectory() : found.isFile();
    if (isPlain && isOurs(found) && (found.mode & 0o777 & ~most) !== 0) chmodSync(path, found.mode & most);
  } catch {
    // The file was removed meanwhile, or its file system has no permissions.
  }
}

function isOurs({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}
