import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { existsSync, relative, resolve } from './fs.ts';

/** Folder of the reports of all runs, in the working directory. */
export const RUNS_FOLDER = 'storeport-runs';

/** A folder that was moved, copied or restored with all that is in it. Both paths are absolute. */
export interface MovedFolder {
  readonly from: string;
  readonly to: string;
}

/** The folder that holds the home, usually the working directory. Paths below it are expected to move with the home. */
export function folderAround(home: string): string {
  return dirname(resolve(home));
}

/** Path within a folder; undefined if it is not below it. */
function pathBelow(folder: string, path: string): string | undefined {
  if (!isAbsolute(path)) return undefined;
  const below = relative(folder, path);
  return below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)
    ? undefined
    : below;
}

/** A name for a path that stays the same if the folder around the home is moved. */
export function nameBeside(home: string, path: string): string {
  return pathBelow(folderAround(home), path)?.replaceAll(sep, '/') ?? path;
}

/**
 * Path of a folder that is written. Never the old one: reports of a home that was restored elsewhere must not replace those
 * of the first.
 */
export function pathToWrite(path: string, { from, to }: MovedFolder): string {
  const below = from === to ? undefined : pathBelow(from, path);
  return below === undefined ? path : join(to, below);
}

/** Path of a file or folder that is read: the moved one, unless it exists only at its old place. */
export function pathToRead(path: string, moved: MovedFolder): string {
  const now = pathToWrite(path, moved);
  return now === path || existsSync(now) ? now : path;
}

/** Path of a file or folder that is read, after several moves: the first place at which it exists, else the old one. */
export function pathAfter(path: string, moves: readonly MovedFolder[]): string {
  for (const moved of moves) {
    const now = pathToRead(path, moved);
    if (now !== path) return now;
  }
  return path;
}

/** A working folder that is gone, and the place of one folder of reports now. */
export interface LostFolder extends MovedFolder {
  readonly out: string;
}

/**
 * The working folder of a run whose home is elsewhere, if it was renamed or removed. The present one is expected to be it, so that
 * no report makes the old folder again. Undefined if the folder of the reports exists, or the one around it.
 */
export function lostFolder(out: string): LostFolder | undefined {
  const at = out.lastIndexOf(`${sep}${RUNS_FOLDER}${sep}`);
  const from = at === -1 ? dirname(out) : out.slice(0, at) || sep;
  if (existsSync(from)) return undefined;
  const to = resolve('.');
  // Reports of other folders may have the same name.
  const below = at === -1 ? join(RUNS_FOLDER, `${basename(from)}-${basename(out)}`) : out.slice(at + 1);
  return { from, to, out: join(to, below) };
}
