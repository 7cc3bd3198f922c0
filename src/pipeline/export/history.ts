import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { existsSync, open, rm } from '../../model/files/fs.ts';
import {
  ConfigError,
  exportsFolder,
  folderAround,
  makeHome,
  makePrivateFolder,
  nameBeside,
  PRIVATE_FILE,
  pathToRead,
  readSmallFile,
  replaceFile,
} from '../../model/index.ts';
import { openAtomicFile } from '../../write/index.ts';
import { type Manifest, manifestPath, matchesManifest, writeManifest } from './manifest.ts';

/** The last export: the absolute path of its file and its manifest, or null if it wrote to standard output. */
export interface LastExport {
  readonly file: {
    readonly path: string;
    readonly manifest: Manifest;
    /** The folder that held the home then; undefined until it is kept. */
    readonly base?: string;
  } | null;
}

/**
 * History of the earlier exports of one kind: the keys of the items that they wrote, one a line, and the last export in
 * the last line.
 *
 * The history and the exported file cannot be replaced in one step. So the new history is made durable under another
 * name before the exported file appears, and is renamed afterwards. After a crash in between, the new history counts only
 * if the exported file matches the manifest in it. So no item is lost, and none is exported twice as long as the exported
 * file is not moved. To standard output there is no file to compare, so after a crash the items are exported again.
 */
export interface EarlierExports {
  readonly last: LastExport | undefined;
  /** Adds the keys of items that this export writes. */
  add(keys: readonly string[]): Promise<void>;
  /** Makes the new history durable. Called after all items are written, before their file appears. */
  prepare(last: LastExport): Promise<void>;
  commit(): Promise<void>;
  /** Does nothing after `prepare`. */
  abort(): Promise<void>;
}

/** Lines that are written together. */
const BATCH = 1000;

/** `job`: values that identify the kind of export. `onKnown` is called with each key of the earlier exports. */
export async function openEarlierExports(
  home: string,
  job: readonly unknown[],
  onKnown: (key: string) => void,
): Promise<EarlierExports> {
  const folder = exportsFolder(home);
  makeHome(home);
  makePrivateFolder(folder);
  const { file, prepared } = historyIn(
    folder,
    job.map((value) => (typeof value === 'string' ? nameBeside(home, value) : value)),
  );
  const base = folderAround(home);
  await settle(prepared, file, base);

  const next = await openAtomicFile(prepared, { mode: PRIVATE_FILE });
  const add = async (keys: readonly string[]) => {
    if (keys.length > 0) await next.write(keys.map((key) => `${JSON.stringify(key)}\n`).join(''));
  };
  let last: LastExport | undefined;
  try {
    last = foundAgain(await copyEarlierKeys(file, add, onKnown), base);
  } catch (error) {
    await next.abort();
    throw error;
  }
  return {
    last,
    add,
    async prepare(done) {
      await next.write(`${JSON.stringify({ file: done.file && { ...done.file, base } })}\n`);
      await next.commit();
    },
    commit: () => replaceFile(prepared, file),
    abort: next.abort,
  };
}

function historyIn(folder: string, job: readonly unknown[]) {
  const name = createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 16);
  return { file: join(folder, `${name}.keys`), prepared: join(folder, `${name}.next`) };
}

/** Copies the earlier keys to the new history. Returns the last export; undefined if there is none. */
async function copyEarlierKeys(
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
  // A history without its last line was truncated at the end of a line.
  if (last === undefined && existsSync(file)) throw damaged(file);
  return last;
}

/** The last export with the path of its file now, if the folder `base` around the home was moved. */
function foundAgain(last: LastExport | undefined, base: string): LastExport | undefined {
  if (!last?.file) return last;
  const { path, base: from = base } = last.file;
  return { file: { ...last.file, path: pathToRead(path, { from, to: base }) } };
}

/** Recovers from a crash between the two renames. */
async function settle(prepared: string, file: string, base: string): Promise<void> {
  const last = foundAgain(await lastOf(prepared), base);
  if (last === undefined) return;
  if (last.file === null) return rm(prepared);
  const { path, manifest } = last.file;
  if (!(await matchesManifest(path, manifest))) return rm(prepared);
  const text = manifestText(path);
  if (!text.includes(manifest.sha256)) await writeManifest(path, manifest);
  await replaceFile(prepared, file);
}

/** Empty if the manifest is missing or unreadable; it is then written anew. */
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

/** Reads keys and the last export; nothing if there is no file. */
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
  return new ConfigError(`${path} is damaged, so the items of earlier exports are not known.`, [
    'Delete it: the next export then has all items again.',
  ]);
}
