import { closeSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shellWord } from '../text/shell-word.ts';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  resolve,
  statSync,
} from './fs.ts';

/** Modes that let only the owner read: files under `--home` and reports contain customers' data. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Default name of the folder for `--home`. */
const OWN_FOLDER = '.storeport';
const EXPORTS_FOLDER = 'exports';

/** Names of our files under `--home`, with the files that SQLite and atomic renames create beside them. */
const OWN_FILES: readonly RegExp[] = [
  /^ledger\.db(?:-(?:wal|shm|journal))?$/,
  /^ledger(?:-open|-write)?\.lock(?:-journal)?$/,
  /^ledger\.sums(?:\.next)?$/,
  /^(?:ui|(?:store|export|migration)-[0-9a-f]{16})\.(?:json|lock(?:-journal)?)$/,
  /^images\.db(?:-journal)?$/,
  /^\.images\.\d+\.[0-9a-f]{12}\.part$/,
  /^rate-[0-9a-f]{16}\.json(?:\.\d+)?$/,
  /^\d{8}-\d{6}-[0-9a-f]+\.(?:log|tip)$/,
];
const EXPORT_FILES: readonly RegExp[] = [/^\.?[0-9a-f]{16}\.(?:keys|next)/];

/** Returns the paths of our existing files under `--home`. */
export function ownFilesIn(home: string): string[] {
  const exported = exportsFolder(home);
  return [
    ...namesIn(home).flatMap((name) => (isOwnName(name) ? [join(home, name)] : [])),
    ...namesIn(exported).map((name) => join(exported, name)),
  ];
}

/**
 * True for a name that we use directly in `--home`, even if the file does not exist yet. Everything in `exportsFolder` is
 * ours too.
 */
export function isOwnName(name: string): boolean {
  return OWN_FILES.some((pattern) => pattern.test(name));
}

/** Returns the folder under `--home` that contains only our files. */
export function exportsFolder(home: string): string {
  return join(home, EXPORTS_FOLDER);
}

/**
 * Creates a folder that only its owner can enter. Missing parent folders follow the umask, and an existing folder
 * keeps its permissions. Returns the topmost folder that was created; undefined if none was.
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
 * Creates an empty file that only its owner can read, unless it exists. SQLite would create it by the umask, and
 * copies its permissions to the files beside it. An existing file is not opened, since closing it would release
 * SQLite's locks.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Creates the folder of `--home`. In an existing folder our files become private: another program may have copied them there. A folder with another name may contain other files, so it keeps its permissions. Returns the same as
 * `makePrivateFolder`.
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
    // A folder that cannot be listed stays unchanged. The code that opens its files reports the error.
    return [];
  }
}

/**
 * Hints for a path that this process may not write: the accounts, if the nearest existing folder belongs to another one. In
 * containers these are often different without anybody noticing. Empty for any other error.
 */
export function ownershipHints(error: unknown, path: string, uid = process.getuid?.()): string[] {
  const { code } = error as NodeJS.ErrnoException;
  if (uid === undefined || (code !== 'EACCES' && code !== 'EPERM')) return [];
  const existing = nearestExisting(resolve(path));
  const found = statSync(existing);
  if (found.uid === uid) return [];
  const asOwner = found.uid === 0 ? '' : `run it as that account (in a container: --user ${found.uid}), or `;
  return [
    `${existing} belongs to the account ${found.uid}, and this command runs as ${uid}.`,
    `To change that: ${asOwner}chown ${uid} ${shellWord(existing)}`,
  ];
}

/** Returns the path, or the nearest folder above it that this process can see. */
function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Removes permissions and never adds any. Links and files of other users stay unchanged. */
function restrict(path: string, most: number): void {
  if (process.platform === 'win32') return;
  try {
    const found = lstatSync(path);
    const isPlain = most === PRIVATE_FOLDER ? found.isDirectory() : found.isFile();
    if (isPlain && isOurs(found) && (found.mode & 0o777 & ~most) !== 0) chmodSync(path, found.mode & most);
  } catch {
    // The file was removed in the meantime, or its file system has no permissions.
  }
}

function isOurs({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}
