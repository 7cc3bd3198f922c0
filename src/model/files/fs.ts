import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import promises from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../errors.ts';

// Wraps Node's functions that take paths. Relative paths are resolved in the working directory of the command line, not of
// the process. Functions that take descriptors are imported from Node.

const commandFolder = new AsyncLocalStorage<string>();
/** Working directory in a thread, which serves one command line. */
let threadFolder: string | undefined;

/**
 * Runs a command line in this working directory: all code that `run` starts resolves relative paths there. Undefined: in the
 * working directory of the process.
 */
export function inFolder<Result>(folder: string | undefined, run: () => Result): Result {
  return folder === undefined ? run() : commandFolder.run(folder, run);
}

/** Working directory of the command line, to pass it to a thread; undefined: the process has the same one. */
export function givenFolder(): string | undefined {
  return commandFolder.getStore() ?? threadFolder;
}

/** Sets the folder of a whole thread, which `inFolder` does not reach. */
export function setThreadFolder(folder: string | undefined): void {
  threadFolder = folder;
}

/** As `resolve` of node:path. */
export function resolve(...parts: string[]): string {
  const folder = givenFolder();
  return folder === undefined ? path.resolve(...parts) : path.resolve(folder, ...parts);
}

/** As `relative` of node:path. */
export function relative(from: string, to: string): string {
  return path.relative(resolve(from), resolve(to));
}

/** Resolves a path for Node, which also takes URLs and descriptors. Throws ConfigError for a path that no system has. */
function placed<Place>(place: Place): Place {
  if (typeof place !== 'string' || place === '') return place;
  if (place.includes('\0'))
    throw new ConfigError(`The path ${JSON.stringify(place)} has a NUL character, which no path can have.`, [
      'Remove it from the name.',
    ]);
  const folder = givenFolder();
  return folder === undefined ? place : (path.resolve(folder, place) as Place & string);
}

type SyncName = {
  [Name in keyof typeof fs]: (typeof fs)[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof typeof fs];
type PromiseName = {
  [Name in keyof typeof promises]: (typeof promises)[Name] extends (...args: never[]) => unknown
    ? Name
    : never;
}[keyof typeof promises];

// Looked up at each call, since a harness may replace them to inject faults.
const sync = <Name extends SyncName>(name: Name) =>
  ((place: unknown, ...rest: unknown[]) =>
    (fs[name] as (...args: unknown[]) => unknown)(placed(place), ...rest)) as (typeof fs)[Name];
const later = <Name extends PromiseName>(name: Name) =>
  ((place: unknown, ...rest: unknown[]) =>
    (promises[name] as (...args: unknown[]) => unknown)(placed(place), ...rest)) as (typeof promises)[Name];

export const appendFileSync = sync('appendFileSync');
export const chmodSync = sync('chmodSync');
export const createReadStream = sync('createReadStream');
export const createWriteStream = sync('createWriteStream');
export const existsSync = sync('existsSync');
export const lstatSync = sync('lstatSync');
export const mkdirSync = sync('mkdirSync');
export const mkdtempSync = sync('mkdtempSync');
export const openSync = sync('openSync');
export const readdirSync = sync('readdirSync');
export const readFileSync = sync('readFileSync');
export const realpathSync = sync('realpathSync');
export const rmSync = sync('rmSync');
export const statSync = sync('statSync');
export const truncateSync = sync('truncateSync');
export const unlinkSync = sync('unlinkSync');
export const writeFileSync = sync('writeFileSync');
export const renameSync = (from: string, to: string): void => fs.renameSync(placed(from), placed(to));

export const appendFile = later('appendFile');
export const mkdir = later('mkdir');
export const open = later('open');
export const readdir = later('readdir');
export const readFile = later('readFile');
export const realpath = later('realpath');
export const rm = later('rm');
export const rmdir = later('rmdir');
export const stat = later('stat');
export const unlink = later('unlink');
export const writeFile = later('writeFile');
export const rename = (from: string, to: string): Promise<void> => promises.rename(placed(from), placed(to));
