import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ConfigError, RunStopped } from '../../model/index.ts';
import { compareToken, leaseLost, replaceToken, restored } from '../../postgres/index.ts';
import { type ArtifactStorage, TransferError } from '../artifacts/index.ts';
import type { TaskExecution } from './options.ts';

/** The note of a store in the place of the files. No sweep removes it, since it does not belong to a task. */
const keyOf = (baseUrl: string) => `noted/${createHash('sha256').update(baseUrl).digest('hex').slice(0, 32)}`;

/** A copy that is put back is noticed unless it is younger than the last note. */
const MAX_UNNOTED_MS = 1_000;

/**
 * Notes a token of the store in the place of the files, before an import may create anything there and again each second. A copy of the database that is put back in its place lacks the token. The incarnation is then incremented before the
 * first intent; in mid-run `stopSending` is called. Returns a function that ends this. Throws RunStopped if nothing can be noted.
 */
export async function keepTokenNoted(
  { sql, lease, storage, log, task }: TaskExecution,
  stopSending: (why: RunStopped) => void,
): Promise<() => Promise<void>> {
  if (storage === undefined) return async () => {};
  const key = keyOf(task.store.baseUrl);
  const noted = await reached(storage, () => readNote(storage, key));
  if (noted !== undefined) await compareToken(sql, lease, noted);
  let token: string = randomUUID();
  if ((await replaceToken(sql, lease, { token })) !== 'replaced') throw leaseLost();
  await reached(storage, () => writeNote(storage, key, token));

  /** The token that is replacing it: repeated until it is in the database and noted. */
  let next: string | undefined;
  async function renew(place: ArtifactStorage): Promise<void> {
    next ??= randomUUID();
    const end = await replaceToken(sql, lease, { token: next, before: token });
    if (end === 'other') stopSending(restored());
    if (end !== 'replaced') return;
    await writeNote(place, key, next);
    token = next;
    next = undefined;
  }
  let current: Promise<void> | undefined;
  const turn = () => {
    current ??= renew(storage)
      .catch((error: unknown) =>
        log.warn({ task: task.id, error: String(error) }, 'the token of the store could not be noted'),
      )
      .finally(() => {
        current = undefined;
      });
    return current;
  };
  const timer = setInterval(turn, Math.min(MAX_UNNOTED_MS, lease.timing.renewMs));
  return async () => {
    clearInterval(timer);
    await current;
    // A copy from the middle of the import is older than its end.
    await turn();
  };
}

async function readNote(storage: ArtifactStorage, key: string): Promise<string | undefined> {
  const content = await storage.get(key);
  return content && (await text(content)).trim();
}

async function writeNote(storage: ArtifactStorage, key: string, token: string): Promise<void> {
  const content = Buffer.from(`${token}\n`);
  await storage.put(key, Readable.from([content]), { bytes: content.length });
}

async function reached<Result>({ name }: ArtifactStorage, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (!(error instanceof TransferError || error instanceof ConfigError) && code === undefined) throw error;
    throw new RunStopped(
      'output-failed',
      `Nothing was sent, since ${name} cannot be used, where its reports are kept: ${message.replace(/\.$/, '')}.`,
    );
  }
}
