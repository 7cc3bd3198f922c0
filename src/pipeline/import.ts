import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { openLedger, type SourceFile } from '../ledger/index.ts';
import {
  ConfigError,
  keptRows,
  leadRow,
  type Outcome,
  RETURNED,
  RunStopped,
  type StopReason,
} from '../model/index.ts';
import { openReports } from '../report/index.ts';
import { createFeed, deliver } from '../send/index.ts';
import type { StoreClient } from '../store/index.ts';
import { type CanaryRecord, createCanary } from './canary.ts';
import { type Input, type Inputs, type OpenInputsOptions, openInputs } from './sources.ts';
import { planRecords, type StageOptions } from './stages.ts';
import { createTally, type Summary, type Tally } from './summary.ts';

export interface ImportOptions extends Omit<OpenInputsOptions, 'onWarning'> {
  readonly offset: number;
  readonly limit?: number | undefined;
  readonly maskContacts: boolean;
  /** Send that many records first, and ask before the rest. */
  readonly canary?: number | undefined;
  /** Folder of the reports; left out, `storeport-runs/<run id>`. */
  readonly out?: string | undefined;
  readonly version: string;
  readonly exitCodeOf: (outcomes: Readonly<Record<string, number>>, stopped?: Error) => number;
  readonly watch: Watcher;
}

/** What an import says while it runs; the command line makes lines of it. */
export interface Watcher {
  /** Files are open and the mapping is known; nothing was sent. */
  opened(inputs: Inputs): void;
  /** About the file's header. */
  warned(message: string): void;
  /** Once, when records begin to flow; the numbers in it change as they do. */
  started(progress: Progress): void;
  /** With `canary`: shows what became of the first records; resolves with whether to go on. */
  canary(records: CanaryRecord[]): Promise<boolean>;
}

export interface Progress {
  readonly tally: Tally;
  bytesRead(): number;
  /** Of all files; undefined for standard input. */
  readonly bytes: number | undefined;
}

/** How `import` reaches a store. `validate` has none of this. */
export interface Delivering {
  readonly home: string;
  readonly store: string;
  readonly storeId?: string | undefined;
  readonly client: Pick<StoreClient, 'authenticate' | 'deliver'>;
  readonly concurrency: number;
  readonly interrupted: AbortSignal;
}

/** How long counting the records that were not read may take when a run stops early. */
const COUNT_PATIENCE_MS = 5000;

/**
 * One import: read → group → map → validate → plan → send → record → report. Resolves with the summary also when the
 * run stopped early; throws ConfigError or RunStopped when it did not even begin. `connect` is called once the files
 * and the mapping are known to be good.
 */
export async function runImport(
  options: ImportOptions,
  connect: () => Promise<Delivering>,
): Promise<Summary> {
  const started = begin('import');
  const inputs = await open(options);
  try {
    const to = await connect();
    // Also where the store's id is known: credentials that are refused must be found out before anything is sent.
    const token = await to.client.authenticate();
    const storeId = to.storeId ?? token.storeId;
    requireStoreId(options, inputs, storeId);
    const planned = planRecords(inputs, stageOptions(options, false, storeId));
    const canary =
      options.canary === undefined ? undefined : createCanary(options.canary, options.watch.canary);
    const feed = createFeed(canary ? canary.hold(planned) : planned);
    const tally = createTally();
    const out = options.out ?? resolve('storeport-runs', started.run);
    const reports = await openReports({ folder: out, run: started.run, header: inputs.header });
    const ledger = openLedger(to.home);
    try {
      const run = ledger.begin({
        id: started.run,
        resource: options.resource.name,
        mode: options.mode,
        store: to.store,
        mappingName: inputs.mapping.name,
        mappingDigest: inputs.mapping.digest,
        files: options.files.map((file) => ({ file })),
        header: inputs.header,
        out,
        version: options.version,
      });
      options.watch.started(progressOf(inputs, tally));
      const stopped = await deliver(feed, {
        resource: options.resource,
        send: to.client.deliver,
        journal: run,
        concurrency: to.concurrency,
        interrupted: canary ? AbortSignal.any([to.interrupted, canary.refused]) : to.interrupted,
        onSettled(end) {
          tally.add(end.outcome, end.row);
          canary?.settled(end);
        },
      });
      const notRead = stopped ? await feed.countRest(COUNT_PATIENCE_MS).catch(() => undefined) : undefined;
      const files = sourceFiles(inputs.inputs);
      run.end(stopped ? 'stopped' : 'done', files, reasonOf(stopped));
      for (const settled of run.settled()) await reports.add(settled);
      const summary = summarise(options, inputs, {
        ...started,
        tally,
        out,
        files,
        stopped,
        notRead,
        store: to.store,
      });
      await reports.finish(summary);
      // A bug is not a way to stop: its stack is shown, but only after the books were written.
      if (stopped && !(stopped instanceof RunStopped || stopped instanceof ConfigError)) throw stopped;
      return summary;
    } catch (error) {
      await reports.abort();
      throw error;
    } finally {
      ledger.close();
    }
  } finally {
    await close(inputs);
  }
}

function requireStoreId({ resource }: ImportOptions, { mapping }: Inputs, storeId: string | undefined): void {
  const mapped = mapping.fields.some(({ path }) => path[0] === 'storeId');
  if (storeId === undefined && !mapped && resource.fromSettings?.includes('storeId'))
    throw new ConfigError(`${resource.name} need the store's id, and the token does not tell it.`, [
      'Give --store-id, or set STOREPORT_STORE_ID.',
    ]);
}

/** The same without a store: every record gets its outcome from planning, and the reports are written as it goes. */
export async function runValidate(options: ImportOptions): Promise<Summary> {
  const started = begin('validate');
  const inputs = await open(options);
  try {
    const tally = createTally();
    const out = options.out ?? resolve('storeport-runs', started.run);
    const reports = await openReports({ folder: out, run: started.run, header: inputs.header });
    options.watch.started(progressOf(inputs, tally));
    try {
      for await (const batch of planRecords(inputs, stageOptions(options, true)))
        for (const { record, key, outcome } of batch) {
          const end: Outcome = outcome ?? { outcome: 'planned', attempts: 0, durationMs: 0 };
          tally.add(end, leadRow(record));
          const settled = { seq: record.seq, row: leadRow(record), key, outcome: end };
          await reports.add(RETURNED.has(end.outcome) ? { ...settled, rows: keptRows(record) } : settled);
        }
      const files = sourceFiles(inputs.inputs);
      const summary = summarise(options, inputs, { ...started, tally, out, files, store: null });
      await reports.finish(summary);
      return summary;
    } catch (error) {
      await reports.abort();
      throw error;
    }
  } finally {
    await close(inputs);
  }
}

function begin(command: Summary['command']) {
  const startedAt = new Date();
  // Sorts by time, and is short enough to be typed: 20261121-093012-a1b2.
  const stamp = startedAt.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return { command, startedAt, run: `${stamp}-${randomBytes(2).toString('hex')}` };
}

async function open(options: ImportOptions): Promise<Inputs> {
  const inputs = await openInputs({
    ...options,
    onWarning: (warning) => options.watch.warned(warning.message),
  });
  options.watch.opened(inputs);
  return inputs;
}

function stageOptions(options: ImportOptions, dryRun: boolean, storeId?: string): StageOptions {
  const { resource, mode, offset, limit } = options;
  const fromSettings = resource.fromSettings?.includes('storeId') && storeId !== undefined ? { storeId } : {};
  return { resource, mode, dryRun, offset, limit, maskContacts: options.maskContacts, fromSettings };
}

function progressOf({ inputs }: Inputs, tally: Tally): Progress {
  const sizes = inputs.map(({ source }) => source.size);
  return {
    tally,
    bytesRead: () => inputs.reduce((sum, { source }) => sum + source.bytesRead(), 0),
    bytes: sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
  };
}

/** A file that was not read to its end has no digest. */
function sourceFiles(inputs: readonly Input[]): SourceFile[] {
  return inputs.map(({ source }) => {
    const sha256 = source.digest();
    return { file: source.table.file, ...(sha256 === undefined ? {} : { sha256 }) };
  });
}

function reasonOf(stopped: Error | undefined): StopReason | undefined {
  return stopped instanceof RunStopped ? stopped.reason : stopped && 'source-failed';
}

interface End extends ReturnType<typeof begin> {
  readonly tally: Tally;
  readonly out: string;
  readonly files: readonly SourceFile[];
  readonly store: string | null;
  readonly stopped?: Error | undefined;
  readonly notRead?: number | undefined;
}

const MOST_PROBLEMS = 20;

function summarise(options: ImportOptions, { mapping }: Inputs, end: End): Summary {
  const { tally, stopped } = end;
  const finishedAt = new Date();
  const durationMs = finishedAt.getTime() - end.startedAt.getTime();
  const outcomes = tally.outcomes();
  const reason = reasonOf(stopped);
  return {
    run: end.run,
    command: end.command,
    resource: options.resource.name,
    mode: options.mode,
    offset: options.offset,
    store: end.store,
    files: end.files.map(({ file, sha256 = null }) => ({ file, sha256 })),
    mapping: { name: mapping.name, sha256: mapping.digest },
    records: tally.records,
    outcomes,
    ...(stopped ? { not_read: end.notRead ?? null } : {}),
    ...(stopped && reason ? { stopped: { reason, message: stopped.message } } : {}),
    problems: tally.problems(MOST_PROBLEMS),
    attempts: tally.attempts,
    started_at: end.startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    duration_ms: durationMs,
    records_per_second: Math.round((tally.records * 1000) / Math.max(1, durationMs)),
    versions: { storeport: options.version, node: process.version },
    out: end.out,
    exit_code: options.exitCodeOf(outcomes, stopped),
  };
}

async function close({ inputs }: Inputs): Promise<void> {
  await Promise.all(inputs.map(({ source }) => source.close()));
}
