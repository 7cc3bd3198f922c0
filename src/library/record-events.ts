import type { OutcomeStatus, RecordResult } from '../model/index.ts';
import type { ImportInputs, Watcher } from '../pipeline/index.ts';
import type { Summary } from '../report/index.ts';
import type { WaitInfo } from '../store/index.ts';
import type { InputFailure } from './record-input.ts';
import type { EventSink } from './start-run.ts';

/** An event of an import or a check. */
export type RecordsEvent =
  | FilesOpened
  /** The run has its id. `out`: folder of its reports. */
  | { readonly type: 'began'; readonly run: string; readonly store: string | null; readonly out: string }
  /** Valid but probably unintended input. */
  | { readonly type: 'warning'; readonly message: string }
  /** A record has its outcome. In the order of the answers, not of the source. */
  | { readonly type: 'record'; readonly record: RecordOutcome }
  /** The store is unreachable, or refuses everything. The run waits until it answers again. */
  | { readonly type: 'waiting'; readonly reason: string }
  | { readonly type: 'continuing' }
  /** The last event. */
  | { readonly type: 'end'; readonly summary: RecordsSummary };

/** The summary of an import or a check of this process. */
export interface RecordsSummary extends Summary {
  /** `cause`: what the iterable of the records threw. */
  readonly stopped?: NonNullable<Summary['stopped']> & { readonly cause?: unknown };
}

/** Adds to a summary why the records ended, if their iterable threw. */
export function withCause(summary: Summary, failure: InputFailure): RecordsSummary {
  return 'cause' in failure && summary.stopped
    ? { ...summary, stopped: { ...summary.stopped, ...failure } }
    : summary;
}

/** All files are open and the mapping is known. Nothing was sent. */
export interface FilesOpened {
  readonly type: 'opened';
  readonly mapping: { readonly name: string; readonly title: string };
  readonly files: readonly OpenedSource[];
}

export interface OpenedSource {
  readonly file: string;
  readonly format: string;
  /** Names of its columns, or fields of its first objects. */
  readonly columns: readonly string[];
  /** Columns that the mapping names and the file lacks. */
  readonly missing: readonly string[];
  /** Columns that the mapping does not use. */
  readonly unused: readonly string[];
}

/** One record with its outcome: a line of results.csv. */
export interface RecordOutcome {
  /** Number of its first row. */
  readonly row: number;
  /** Given if there are several files. */
  readonly file?: string | undefined;
  /** Empty if it has none. */
  readonly key: string;
  readonly outcome: OutcomeStatus;
  /** The store's `_id`. */
  readonly id?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly attempts: number;
  readonly durationMs: number;
  readonly code?: string | undefined;
  /** Dotted path of the payload. */
  readonly field?: string | undefined;
  readonly message?: string | undefined;
}

/** Turns the events of the pipeline into those of a run. */
export function watcherFor(
  { emit, room }: EventSink<RecordsEvent>,
  confirm: (records: readonly RecordOutcome[]) => Promise<boolean> = async () => true,
): Watcher {
  return {
    opened: (inputs) => emit(filesOpened(inputs)),
    warned: (message) => emit({ type: 'warning', message }),
    began: ({ id, store, out }) => emit({ type: 'began', run: id, store, out }),
    started() {},
    recordSettled: (result) => emit({ type: 'record', record: recordOutcome(result) }),
    room,
    canary: (records) => confirm(records.map(recordOutcome)),
  };
}

/** Turns the waits of a client into events. */
export function onWaitFor({ emit }: EventSink<RecordsEvent>): (wait: WaitInfo | undefined) => void {
  return (wait) =>
    emit(wait ? { type: 'waiting', reason: `the store ${wait.reason}` } : { type: 'continuing' });
}

function filesOpened({ mapping: { name, title }, files }: ImportInputs): FilesOpened {
  return {
    type: 'opened',
    mapping: { name, title },
    files: files.map(({ source: { table, reading }, binding: { missing, unused } }) => ({
      file: table.file,
      format: reading().format,
      columns: table.header,
      missing,
      unused,
    })),
  };
}

function recordOutcome({
  row,
  file,
  key,
  outcome: { kinds: _, ...outcome },
}: Pick<RecordResult, 'row' | 'file' | 'key' | 'outcome'>): RecordOutcome {
  return { row, file, key, ...outcome };
}
