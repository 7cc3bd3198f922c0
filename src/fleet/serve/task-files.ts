import { type ApiRequest, NotFound, type RawAnswer, Unavailable } from '../../http/index.ts';
import { openArtifact, TransferError } from '../artifacts/index.ts';
import type { TaskDetails } from '../tasks/task.ts';
import type { FleetRouteOptions } from './route-options.ts';

/**
 * A file of the manifest, always to be saved: it may be a page of somebody's data. Throws NotFound if it is not there, and
 * Unavailable if its place does not answer.
 */
export async function fileAnswer(
  { sql, files, onTrouble }: FleetRouteOptions,
  { id, number }: TaskDetails,
  { params: { name = '' }, left: signal }: ApiRequest,
): Promise<RawAnswer> {
  const storage = await files('read');
  const answerFor = (error: unknown) => {
    if (!(error instanceof TransferError)) return error;
    onTrouble?.(`${name} of the task ${id}: ${error.message}`);
    return error.code === 'MISSING'
      ? new NotFound(error.message, ['It was removed there, or the files are in another place now.'])
      : new Unavailable(error.message, ['Try again later. If it stays so, ask whoever runs the fleet.']);
  };
  const file = await openArtifact(sql, storage, { task: number, name, signal }).catch((error: unknown) => {
    throw answerFor(error);
  });
  if (!file) throw new NotFound(`The task ${id} has no file "${name}".`, ['Its page lists them.']);
  return {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(file.bytes),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.replaceAll('/', '-'))}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
    body: checkedBytes(file.content, answerFor),
  };
}

/**
 * Passes bytes on, the last ones only when all were found to be those of the manifest: a reader that got as many bytes as
 * announced would take a damaged file for a whole one. An error breaks the answer off, since its status is sent already.
 */
async function* checkedBytes(
  content: AsyncIterable<Uint8Array>,
  answerFor: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array | undefined;
  try {
    for await (const chunk of content) {
      if (held !== undefined) yield held;
      held = chunk;
    }
  } catch (error) {
    throw answerFor(error);
  }
  if (held !== undefined) yield held;
}
