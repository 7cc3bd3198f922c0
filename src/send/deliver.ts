import {
  type BeforeSending,
  type Delivery,
  hideValues,
  INCOMPLETE,
  type JsonObject,
  LEDGER_STOPS,
  type Operation,
  type Outcome,
  type ReadyRecord,
  type RecordResult,
  type RecordToSend,
  RunStopped,
  type StoreRequest,
} from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import type { Feed } from './feed.ts';

/** The part of the ledger that sending needs: intents before requests, outcomes after answers. */
export interface DeliveryJournal {
  intend(intent: Buffer): Promise<void>;
  /**
   * Begins the age of an intent, just before `intend`. Returns a function that is true once the intent is too old to be sent.
   * Undefined if intents have no age: nobody else can send to the store.
   */
  readonly ageIntent?: (() => () => boolean) | undefined;
  /** Returns a promise if the ledger is behind: the next record must wait for it. */
  settle(settled: RecordResult, sent: boolean): Promise<void> | undefined;
  flush(): Promise<void>;
}

export interface DeliverOptions {
  readonly resource: Resource;
  /** Calls `beforeSending` before the first byte is sent, and sends nothing if that rejects. */
  readonly send: (request: StoreRequest, beforeSending: BeforeSending) => Promise<Delivery>;
  readonly journal: DeliveryJournal;
  /** Maximum number of requests in flight, and so of records that a crash can leave in doubt. */
  readonly concurrency: number;
  /** Reads from an intent what a result needs if its record is not done. */
  readonly readIntent: (intent: Buffer) => Pick<RecordResult, 'rows' | 'supersedes'>;
  /** Fires when the user interrupts. Requests in flight are awaited, and nothing new is sent. */
  readonly interrupted: AbortSignal;
  /** Called with every result. Returns an error if nothing more is to be sent. */
  readonly onSettled: (end: RecordResult) => Error | undefined;
  /** Returns a promise while no record may be begun. */
  readonly room?: (() => Promise<void> | undefined) | undefined;
  /** Called if the ledger cannot be written any more: waiting requests must not be sent. */
  readonly onLedgerFailed?: ((why: RunStopped) => void) | undefined;
}

/**
 * Sends records and records the outcome of each exactly once. There are as many workers as requests may be in
 * flight. Each takes the next record when it has the answer to the last one, so the source is read no faster than the
 * store accepts records. Results are in the order of the answers; the ledger sorts them.
 *
 * Resolves with the error that stopped it early, if any. Records that were read but not sent are then `unsent`.
 */
export async function deliverAll(
  feed: Feed,
  {
    resource,
    send,
    journal,
    concurrency,
    readIntent,
    interrupted,
    onSettled,
    room,
    onLedgerFailed,
  }: DeliverOptions,
): Promise<Error | undefined> {
  let stopped: Error | undefined;
  const stop = (error: Error) => {
    stopped ??= error;
    feed.close();
    if (error instanceof RunStopped && LEDGER_STOPS.has(error.reason)) onLedgerFailed?.(error);
  };
  const onInterrupt = () => stop(interruption(interrupted));
  if (interrupted.aborted) onInterrupt();
  interrupted.addEventListener('abort', onInterrupt);

  const settle = (result: RecordResult, sent: boolean) => {
    const behind = journal.settle(result, sent);
    const enough = onSettled(result);
    if (enough) stop(enough);
    return behind;
  };

  /** The ledger has the digests of a record that was sent from its intent. */
  const end = ({ seq, row, file, key, intent }: RecordToSend, outcome: Outcome, sent: boolean) => {
    const isIncomplete = INCOMPLETE.has(outcome.outcome);
    const { rows, supersedes } = isIncomplete ? readIntent(intent) : NOTHING;
    return settle({ seq, row, file, key, outcome, rows, supersedes }, sent);
  };

  const carryOut = async (record: RecordToSend) => {
    let intended = false;
    let heldBack: unknown;
    // As late as possible: records that wait for a worker, a token or the store are not in doubt.
    let isTooOld: (() => boolean) | undefined;
    const intend: BeforeSending = async () => {
      try {
        isTooOld = journal.ageIntent?.();
        await journal.intend(record.intent);
        intended = true;
        if (stopped) throw stopped;
      } catch (error) {
        heldBack = error;
        throw error;
      }
    };
    if (journal.ageIntent) intend.isTooOld = () => isTooOld?.() === true;
    let outcome: Outcome;
    try {
      outcome = outcomeOf(await send(record.request, intend), record, resource);
    } catch (error) {
      stop(error as Error);
      outcome =
        error === heldBack || error instanceof RunStopped ? unsent(error as Error) : brokenOff(record.kind);
    }
    // Outside of the try block: a failure here must not settle the record a second time.
    return end(record, outcome, intended);
  };

  const finish = (ready: ReadyRecord) => {
    if ('result' in ready) return settle(ready.result, false);
    if (stopped) return end(ready, unsent(stopped), false);
    return carryOut(ready);
  };

  const work = async () => {
    try {
      while (!stopped) {
        const full = room?.();
        if (full) {
          await full;
          continue;
        }
        const next = feed.take();
        if (next) {
          // Awaited only if there is something to wait for: a record that has its outcome must not cost a turn of the
          // event loop.
          const finishing = finish(next);
          if (finishing) await finishing;
        } else if (!(await feed.more())) return;
      }
    } catch (error) {
      stop(error as Error);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
    for (let left = feed.take(); left; left = feed.take()) finish(left);
    await journal.flush().catch(stop);
  } finally {
    interrupted.removeEventListener('abort', onInterrupt);
  }
  return stopped;
}

/** The signal may name another reason than the user. */
function interruption({ reason }: AbortSignal): RunStopped {
  return reason instanceof RunStopped ? reason : new RunStopped('interrupted', 'The run was interrupted.');
}

const NOTHING: Pick<RecordResult, 'rows' | 'supersedes'> = {};

/** Hides the values of secret fields in messages, since the store may repeat them. */
function outcomeOf(delivery: Delivery, record: RecordToSend, { name, secret }: Resource): Outcome {
  const { kind, request } = record;
  const { verdict, attempts, durationMs, httpStatus, id, code, field, message } = delivery;
  const said = message && secret ? hideValues(message, payloadOf(request), secret) : message;
  const done = kind === 'create' ? 'created' : 'updated';
  return {
    outcome: verdict === 'done' ? done : verdict,
    // An update names its record itself. The identifier in an answer may be that of another record.
    id: kind === 'update' ? record.id : id,
    httpStatus,
    attempts,
    durationMs,
    code,
    field,
    message: said && verdict === 'rejected' ? said + pathAdvice(kind, name, httpStatus) : said,
  };
}

function payloadOf({ body = '{}' }: StoreRequest): JsonObject {
  return JSON.parse(body.toString()) as JsonObject;
}

/** Statuses that mean that the path or the method is wrong. A 404 to an update means that its record is gone. */
const NO_SUCH_PATH: Readonly<Record<Operation['kind'], readonly number[]>> = {
  create: [404, 405, 410],
  update: [405],
};

function pathAdvice(kind: Operation['kind'], name: string, status: number | undefined): string {
  if (!NO_SUCH_PATH[kind].includes(status ?? 0)) return '';
  const setting = kind === 'create' ? `${name}.create.path` : `${name}.update.method`;
  const does =
    kind === 'create' ? `takes new ${name} under another path` : `updates ${name} by another method`;
  return ` If the store ${does}, write ${setting} into the section api of storeport.config.yaml.`;
}

/** Outcome after an internal error while sending. The request may have succeeded, so a create is in doubt. */
function brokenOff(kind: Operation['kind']): Outcome {
  const message = 'storeport itself failed while this was being sent; look in the store whether it is there';
  const outcome = kind === 'create' ? 'in-doubt' : 'failed';
  return { outcome, attempts: 1, durationMs: 0, code: 'internal-error', message };
}

function unsent(why: Error): Outcome {
  const code = why instanceof RunStopped ? why.reason : 'stopped';
  return { outcome: 'unsent', attempts: 0, durationMs: 0, code, message: `not sent: ${why.message}` };
}
