import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Checkpoint, LedgerView, SourceFile, StoreHistory } from '../../ledger/index.ts';
import { openLedgerView } from '../../ledger/index.ts';
import type { PlannedRecord } from '../../model/index.ts';
import { resourceOf } from '../../resources/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { close, openInputs } from '../inputs/open-inputs.ts';
import { expectMapping, expectSameContent } from '../inputs/same-content.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import type { ResumeState } from '../prepare/options.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { plannerFor, prepareRecords } from '../prepare/prepare-records.ts';
import { settledRecords } from '../prepare/settled-records.ts';
import {
  BATCHES_AHEAD,
  type ReaderEvents,
  type ReaderMessage,
  type ReaderOptions,
  type ReaderRequest,
} from './reader-options.ts';
import { createPacker } from './ready-batch.ts';
import { thrownAs } from './thrown.ts';

// The thread of reader-thread.ts: reads the files once, and ends.

/** Records of one message. With more, what waits in the main thread survives collections. */
const MOST_RECORDS = 100;

const port = parentPort as MessagePort;
const options = workerData as ReaderOptions;
const resource = resourceOf(options.resource);
let inputs: ImportInputs | undefined;
let credit = BATCHES_AHEAD;
let isClosed = false;
let wake: () => void = () => {};

let prepared = 0;
let drained: number | undefined;
let checkpoints: Checkpoint[] = [];
let warnings: string[] = [];

function post(message: ReaderMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** The events since the last call. */
function events(): ReaderEvents {
  const bytesRead = inputs?.files.map(({ source }) => source.bytesRead()) ?? [];
  const noted = { prepared, drained, checkpoints, warnings, bytesRead };
  [prepared, checkpoints, warnings] = [0, [], []];
  return noted;
}

function filesNow(): readonly SourceFile[] {
  return inputs ? sourceFiles(inputs.files, options, options.known) : options.known;
}

port.on('message', (request: ReaderRequest) => {
  if (request === 'files') return post({ kind: 'files', files: filesNow() });
  if (request === 'more') credit++;
  else isClosed = true;
  wake();
});

/** Resolves once a batch may be sent, or none is wanted any more. */
async function allowed(): Promise<void> {
  while (credit === 0 && !isClosed)
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
}

/** A run without history needs no connection to the ledger: nothing is found for any record. */
const NOTHING_KNOWN: StoreHistory = {
  lookup: undefined,
  sourceOf: () => undefined,
  ids: [],
  trashed: undefined,
  findEarlier: () => undefined,
  lookupAmong: () => undefined,
};

function historyIn(view: LedgerView | undefined): StoreHistory | undefined {
  if (options.store === undefined) return undefined;
  return view ? view.history(options.store, resource.name) : NOTHING_KNOWN;
}

/** The state of the run that is resumed, as `resume.ts` finds it. */
function resumeState(
  opened: ImportInputs,
  view: LedgerView | undefined,
  history: StoreHistory | undefined,
): ResumeState | undefined {
  const { resumed, from, mode } = options;
  if (resumed === undefined || !view) return undefined;
  const planner = plannerFor(opened, { resource, mode, dryRun: false, history });
  const settled = settledRecords(view.endings(resumed), planner);
  return { from, isSettled: settled.has, planner };
}

async function* planned(view: LedgerView | undefined): AsyncGenerator<PlannedRecord[]> {
  // The main thread has given these warnings.
  inputs = await openInputs({ ...options, resource, onWarning: () => {} });
  expectMapping(inputs, options.mappingDigest);
  expectSameContent(inputs, options.known);
  const history = historyIn(view);
  const counts = {
    onPrepared: (records: number) => {
      prepared += records;
    },
    onDrained: (part: number) => {
      drained = part;
    },
  };
  const watch = { warned: (message: string) => void warnings.push(message) };
  yield* prepareRecords(inputs, {
    ...prepareOptions({
      options: { ...options, resource, watch },
      counts,
      storeId: options.storeId,
      dryRun: false,
    }),
    onCheckpoint: (checkpoint) => void checkpoints.push(checkpoint),
    resume: resumeState(inputs, view, history),
    history,
  });
}

async function read(): Promise<void> {
  const needsLedger = options.isKnown || options.resumed !== undefined;
  const view = needsLedger ? openLedgerView(options.home) : undefined;
  try {
    const pack = createPacker({ resource, namesFiles: options.known.length > 1 });
    for await (const batch of planned(view)) {
      for (let from = 0; from < batch.length && !isClosed; from += MOST_RECORDS) {
        const packed = pack(batch.slice(from, from + MOST_RECORDS));
        await allowed();
        credit--;
        post({ kind: 'batch', batch: packed, events: events() }, [packed.bytes]);
      }
      if (isClosed) break;
    }
  } finally {
    view?.close();
  }
}

read()
  .then(
    () => post({ kind: 'end', events: events(), files: filesNow() }),
    (error) => post({ kind: 'end', events: events(), files: filesNow(), failed: thrownAs(error) }),
  )
  .finally(async () => {
    if (inputs) await close(inputs);
    port.close();
  });
