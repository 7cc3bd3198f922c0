import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../../../model/index.ts';
import { TransferError } from '../http/file-client.ts';
import type { ArtifactStorage } from '../types.ts';

/** The file in a place that says whose files are there. It is no file of a task, so no sweep removes it. */
export const MARKER = 'storeport-artifacts.json';

const ABOUT =
  'This place has the files of a fleet of storeport, whose database knows it by this id. Keep this file.';

/** Reads the id of a place. Undefined if it has no marker. Throws ConfigError if the place or its marker cannot be read. */
export async function readMarker(storage: ArtifactStorage): Promise<string | undefined> {
  const content = await reached(storage, () => storage.get(MARKER));
  if (content === undefined) return undefined;
  const words = await reached(storage, () => text(content));
  const id = idIn(words);
  if (id === undefined)
    throw new ConfigError(
      `The file ${MARKER} in ${storage.name} is damaged, or was not written by storeport.`,
      [
        'If the files of no other fleet are there, remove it. Then take the place. How: storeport fleet init --help',
      ],
    );
  return id;
}

/** Says in a place whose files are there. Replaces what another fleet has said. */
export async function writeMarker(storage: ArtifactStorage, id: string): Promise<void> {
  const content = Buffer.from(`${JSON.stringify({ about: ABOUT, id }, null, 2)}\n`);
  await reached(storage, () => storage.put(MARKER, Readable.from([content]), { bytes: content.length }));
}

function idIn(words: string): string | undefined {
  try {
    const { id } = JSON.parse(words) as { readonly id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Without its place, a command cannot begin: trouble with it is said like a wrong setting. */
export async function reached<Result>(
  { name }: ArtifactStorage,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (!(error instanceof TransferError) && code === undefined) throw error;
    throw new ConfigError(`The files of the fleet in ${name} cannot be used: ${message.replace(/\.$/, '')}.`);
  }
}
