import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ConfigError,
  exportsFolder,
  makeHome,
  makePrivateFolder,
  PRIVATE_FILE,
  readSmallFile,
} from '../../model/index.ts';
import { openAtomicFile } from '../../write/index.ts';
import { type Manifest, manifestPath, matchesManifest, writeManifest } from './manifest.ts';

/** Its file, as an absolute path, and what its manifest says; null where it went to standard output. */
export interface LastExport {
  readonly file: { readonly path: string; readonly manifest: Manifest } | null;
}

/**
 * What an export knows of the earlier ones of its kind: the keys of the items that they wrote, one a line, and in the
 * last line the last of these exports.
 *
 * That file and the exported one cannot appear in one step. So the new one is made durable under another name before
 * the exported file appears, and takes its place afterwards; what is found there later, after a crash in between, counts
 * exactly if the exported file is the one that it tells of. Nothing is lost by that, and nothing comes twice while the
 * exported file stays where it is.
 */
export interface EarlierExports {
  readonly last: LastExport | undefined;
  /** Keys of items that are written now. */
  add(keys: readonly string[]): Promise<void>;
  /** All items were written, and their file is about to appear. */
  prepare(last: LastExport): Promise<void>;
  commit(): Promise<void>;
  /** Does nothing after `prepare`. */
  abort(): Promise<void>;
}

/** Lines that go to the disk together. */
const BATCH = 1000;

/** `job`: what tells kinds of exports apart. `onKnown` is called with each key of the earlier exports. */
export async function openEarlierExports(
  home: string,
  job: readonly unknown[],
  onKnown: (key: string) => void,
): Promise<EarlierExports> {
  const folder = exportsFolder(home);
  makeHome(home);
  makePrivateFolder(folder);
  const name = createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 16);
  const file = join(folder, `${name}.keys`);
  const prepared = join(folder, `${name}.next`);
  await settle(prepared, file);

  const next = await openAtomicFile(prepared, { mode: PRIVATE_FILE });
  const add = async (keys: readonly string[]) => {
    if (keys.length > 0) await next.write(keys.map((key) => `${JSON.stringify(key)}\n`).join(''));
  };
  let last: LastExport | undefined;
  try {
    last = await takeOver(file, add, onKnown);
  } catch (error) {
    await next.abort();
    throw error;
  }
  return {
    last,
    add,
    async prepare(done) {
      await next.write(`${JSON.stringify(done)}\n`);
      await next.commit();
    },
    commit: () => rename(prepared, file),
    abort: next.abort,
  };
}

/** Keys of before are keys of the next file as well. */
async function takeOver(
  file: string,
  add: (keys: readonly string[]) => Promise<void>,
  onKnown: (key: string) => void,
): Promise<LastExport | undefined> {
  let last: LastExport | undefined;
  let batch: string[] = [];
  for await (const line of linesOf(file)) {
    if (typeof line !== 'string') last = line;
    else {
      onKnown(line);
      if (batch.push(line) < BATCH) continue;
      await add(batch);
      batch = [];
    }
  }
  await add(batch);
  // The last line is written with the others; a file that was cut at the end of a line does not have it.
  if (last === undefined && existsSync(file)) throw damaged(file);
  return last;
}

/** Finishes what a crash has left between the two files. */
async function settle(prepared: string, file: string): Promise<void> {
  const last = await lastOf(prepared);
  if (last === undefined) return;
  if (last.file === null) return rm(prepared);
  const { path, manifest } = last.file;
  if (!(await matchesManifest(path, manifest))) return rm(prepared);
  const told = manifestText(path);
  if (!told.includes(manifest.sha256)) await writeManifest(path, manifest);
  await rename(prepared, file);
}

/** Empty where there is none. */
function manifestText(path: string): string {
  try {
    return readSmallFile(manifestPath(path), manifestPath(path));
  } catch {
    return '';
  }
}

async function lastOf(file: string): Promise<LastExport | undefined> {
  let last: LastExport | undefined;
  for await (const line of linesOf(file)) if (typeof line !== 'string') last = line;
  return last;
}

/** Keys, and the last export; nothing where there is no file. */
async function* linesOf(path: string): AsyncGenerator<string | LastExport> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!file) return;
  try {
    for await (const line of file.readLines()) yield parsed(line, path);
  } finally {
    await file.close();
  }
}

function parsed(line: string, path: string): string | LastExport {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(path);
  }
}

function damaged(path: string): ConfigError {
  return new ConfigError(`${path} is damaged, so what earlier exports had is not known.`, [
    'Delete it: the next export then has everything again.',
  ]);
}
