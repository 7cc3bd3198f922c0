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

/**
 * The former folder of a run without a note of it: the one in which its reports were, if they are now in `to`. Otherwise
 * `to`, so that all paths stay.
 */
export function formerFolder(run: string, out: string, to: string): string {
  const runs = dirname(out);
  const isUsual = basename(out) === run && basename(runs) === RUNS_FOLDER;
  return isUsual && existsSync(join(to, RUNS_FOLDER, run)) ? dirname(runs) : to;
}
