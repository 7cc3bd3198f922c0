import { tmpdir } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openCheckedImages } from '../../images/index.ts';
import { type Checkpoint, type LedgerView, openLedgerView, type StoreHistory } from '../../ledger/index.ts';
import { setThreadFolder } from '../../model/files/fs.ts';
import { type Issue, runBehindSending, setThreadLine } from '../../model/index.ts';
import { collectInThread } from '../../model/memory-pressure.ts';
import { settledBatches } from '../../report/index.ts';
import { resourceOf } from '../../resources/index.ts';
import { checkRecords, type RecordCheck } from '../check/check-records.ts';
import { packResults } from '../check/packed-results.ts';
import { cleanRecords, type RecordCleaning } from '../cleaning/clean-records.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { close, openInputs } from '../inputs/open-inputs.ts';
import { expectMapping, expectSameContent } from '../inputs/same-content.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { newerImports } from '../prepare/newer-imports.ts';
import type { PrepareOptions, ResumeState } from '../prepare/options.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { plannerFor, prepareRecords } from '../prepare/prepare-records.ts';
import { settledRecords } from '../prepare/settled-records.ts';
import {
  BATCHES_AHEAD,
  type ReaderEvents,
  type ReaderFacts,
  type ReaderMessage,
  type ReaderOptions,
  type ReaderRequest,
} from './reader-options.ts';
import { createPacker } from './ready-batch.ts';
import { thrownAs } from './thrown.ts';

// The thread of reader-thread.ts: reads the files once. After that it reads the settled records of a run, if it is asked.

/** Records of one message. With more, what waits in the main thread survives collections. */
const MOST_RECORDS = 100;

/** A batch for the main thread, and the part of it that is moved and not copied. */
interface Packed {
  readonly batch: object;
  readonly moved?: ArrayBuffer;
}

const port = parentPort as MessagePort;
const options = workerData as ReaderOptions;
setThreadFolder(options.folder);
setThreadLine(options.line);
collectInThread();
const resource = resourceOf(options.resource);
let inputs: ImportInputs | undefined;
let check: RecordCheck | undefined;
let cleaning: RecordCleaning | undefined;
let credit = BATCHES_AHEAD;
let isClosed = false;
/** The run whose settled records are wanted, instead of more from the files. */
let settledOf: number | undefined;
let wake: () => void = () => {};

let prepared = 0;
let drained: number | undefined;
let checkpoints: Checkpoint[] = [];
let warnings: string[] = [];

// A check and a clean-up send nothing, and wait for this thread.
if (!options.check && !options.clean) runBehindSending();

function post(message: ReaderMessage<object>, moved?: ArrayBuffer): void {
  port.postMessage(message, moved ? [moved] : []);
}

/** The events since the last call. */
function events(): ReaderEvents {
  const bytesRead = inputs?.files.map(({ source }) => source.bytesRead()) ?? [];
  const noted = { prepared, drained, checkpoints, warnings, bytesRead };
  [prepared, checkpoints, warnings] = [0, [], []];
  return noted;
}

function factsNow(): ReaderFacts {
  const files = inputs ? sourceFiles(inputs.files, options, options.known) : options.known;
  return { files, findings: check?.findings(), cleaned: cleaning?.findings() };
}

port.on('message', (request: ReaderRequest) => {
  if (request === 'facts') return post({ kind: 'facts', facts: factsNow() });
  if (request === 'more') credit++;
  else if (request === 'close') isClosed = true;
  else {
    ({ settledOf } = request);
    credit = BATCHES_AHEAD;
  }
  wake();
});

/** Resolves at the next request. */
function requested(): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
  });
}

/** True if nothing more is wanted from the files. */
function isEnough(): boolean {
  return isClosed || settledOf !== undefined;
}

/** The history of a store without any: it needs no connection to the ledger. */
const NOTHING_KNOWN: StoreHistory = {
  lookup: undefined,
  countries: async () => [],
  sourcesOf: async (refs) => refs.map(() => undefined),
  ids: [],
  trashed: undefined,
  findEarlier: async (places) => places.map(() => undefined),
  lookupAmong: async () => undefined,
};

function historyIn(view: LedgerView | undefined): StoreHistory | undefined {
  if (options.store === undefined) return undefined;
  return view ? view.history(options.store, resource.name) : NOTHING_KNOWN;
}

/** The state of the run that is resumed, as `resume.ts` finds it. */
async function resumeState(
  opened: ImportInputs,
  view: LedgerView | undefined,
  history: StoreHistory | undefined,
): Promise<ResumeState | undefined> {
  const { resumed, from, mode, store = '', overwriteNewer } = options;
  if (resumed === undefined || !view) return undefined;
  const later = view.settledAfter({ number: resumed, store, resource: resource.name });
  const newer = await newerImports(resource, later, overwriteNewer);
  const planner = plannerFor(opened, { resource, mode, dryRun: false, history, newer });
  const settled = await settledRecords(view.endings(resumed), planner);
  return { from, isSettled: settled.has, planner };
}

async function preparing(opened: ImportInputs, view: LedgerView | undefined): Promise<PrepareOptions> {
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
  const { storeId, check: checking } = options;
  const dryRun = checking !== undefined;
  return {
    ...prepareOptions({ options: { ...options, resource, watch }, counts, storeId, dryRun }),
    onCheckpoint: (checkpoint) => void checkpoints.push(checkpoint),
    resume: await resumeState(opened, view, history),
    history,
    compareWith: checking?.compares ? history : undefined,
  };
}

/** The records of the files, packed for what is done with them. */
async function* batches(view: LedgerView | undefined): AsyncGenerator<Packed> {
  const onWarning = ({ message }: Issue) => {
    // The main thread has given those of the beginning.
    if (inputs) warnings.push(message);
  };
  const opened = await openInputs({ ...options, resource, onWarning });
  const images = options.images && openCheckedImages(resource.images ?? [], options.images);
  inputs = { ...opened, images };
  expectMapping(inputs, options);
  expectSameContent(inputs, options.known);
  const prepareWith = await preparing(inputs, view);
  if (options.check) {
    check = checkRecords(inputs, prepareWith, options.check.show);
    for await (const results of check.results()) {
      for (const some of parts(results)) yield { batch: packResults(some) };
      if (isEnough()) return;
    }
    return;
  }
  if (options.clean) {
    cleaning = cleanRecords(inputs, { ...prepareWith, spillFolder: tmpdir() }, options.clean);
    for await (const batch of cleaning.batches()) {
      yield { batch };
      if (isEnough()) return;
    }
    return;
  }
  const pack = createPacker({ resource, namesFiles: options.known.length > 1 });
  for await (const planned of prepareRecords(inputs, prepareWith)) {
    for (const some of parts(planned)) {
      const batch = pack(some);
      yield { batch, moved: batch.bytes };
    }
    if (isEnough()) return;
  }
}

function* parts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += MOST_RECORDS) yield items.slice(from, from + MOST_RECORDS);
}

async function read(): Promise<void> {
  const needsLedger = options.isKnown || options.resumed !== undefined;
  const view = needsLedger ? openLedgerView(options.home) : undefined;
  try {
    for await (const { batch, moved } of batches(view)) {
      while (credit === 0 && !isEnough()) await requested();
      if (isEnough()) break;
      credit--;
      post({ kind: 'batch', batch, events: events() }, moved);
    }
  } finally {
    view?.close();
  }
}

/** Sends the settled records of a run for its reports. */
async function sendSettled(run: number): Promise<void> {
  const view = openLedgerView(options.home);
  try {
    for await (const batch of settledBatches(view.settled(run), options)) {
      while (credit === 0 && !isClosed) await requested();
      if (isClosed) break;
      credit--;
      post({ kind: 'settled', batch });
    }
  } finally {
    view.close();
  }
}

read()
  .then(
    () => post({ kind: 'end', events: events(), facts: factsNow() }),
    (error) => post({ kind: 'end', events: events(), facts: factsNow(), failed: thrownAs(error) }),
  )
  .then(async () => {
    if (inputs) await close(inputs);
    inputs?.images?.close();
    // Only an import has records to settle.
    if (options.check || options.clean) return;
    while (!isEnough()) await requested();
    if (settledOf === undefined) return;
    await sendSettled(settledOf).then(
      () => post({ kind: 'all-settled' }),
      (error) => post({ kind: 'all-settled', failed: thrownAs(error) }),
    );
    while (!isClosed) await requested();
  })
  .finally(() => port.close());
