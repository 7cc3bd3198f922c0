import { type ApiRequest, NotFound, type RawAnswer, Unavailable } from '../../http/index.ts';
import { openArtifact, TransferError } from '../artifacts/index.ts';
import type { TaskDetails } from '../tasks/task.ts';
import type { FleetRouteOptions } from './routes.ts';

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
  const told = (error: unknown) => {
    if (!(error instanceof TransferError)) return error;
    onTrouble?.(`${name} of the task ${id}: ${error.message}`);
    return error.code === 'MISSING'
      ? new NotFound(error.message, ['It was removed there, or the files are in another place now.'])
      : new Unavailable(error.message, ['Try again later. If it stays so, ask whoever runs the fleet.']);
  };
  const file = await openArtifact(sql, storage, { task: number, name, signal }).catch((error: unknown) => {
    throw told(error);
  });
  if (!file) throw new NotFound(`The task ${id} has no file "${name}".`, ['Its page lists them.']);
  return {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(file.bytes),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.replaceAll('/', '-'))}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
    body: withErrors(file.content, told),
  };
}

/** Passes bytes on. An error in the middle breaks the answer off, since its status is sent already. */
async function* withErrors(
  content: AsyncIterable<Uint8Array>,
  told: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* content;
  } catch (error) {
    throw told(error);
  }
}
