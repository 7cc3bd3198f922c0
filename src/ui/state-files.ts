import { join } from 'node:path';
import { existsSync, open, readdirSync, readFileSync } from '../model/files/fs.ts';
import { PRIVATE_FILE } from '../model/index.ts';
import { openAtomicFile, syncNamesIn } from '../write/index.ts';

/** Replaces a private file. A reader, and a power cut, leave the old text or the new one. */
export async function writeState(path: string, text: string): Promise<void> {
  const file = await openAtomicFile(path, { mode: PRIVATE_FILE });
  await file.write(text);
  await file.commit();
}

/** Parses a state file. Undefined if there is none, or if a power cut has left nothing of it: state can be made anew. */
export function readState<Value>(path: string): Value | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Syncs the files in a folder, and then the folder, so that a rename of it can be relied on. */
export async function syncFilesIn(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) await syncBytesOf(join(folder, name));
  await syncNamesIn(folder);
}

async function syncBytesOf(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
