import { INCOMPLETE, leadRowNumber, type PlannedRecord, type RecordResult } from '../../model/index.ts';
import type { Planner } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { plannerFor, prepareRecords } from '../prepare/prepare-records.ts';
import { createPreview, type ShownRecord } from '../prepare/preview.ts';
import { type Change, type Changes, createChanges } from './changes.ts';
import { rowAsRead, withCleanRows } from './clean-rows.ts';
import { type CleanTextOptions, cleanTexts, type Rejected } from './clean-texts.ts';
import { noteMappedCells } from './mapped-cells.ts';

/** Plain data, which another thread can take. */
export interface CleanWork extends CleanTextOptions {
  /** Identifier of the clean-up in the file of rejects. */
  readonly run: string;
  /** Number of finished records to show. */
  readonly show: number;
}

/** Records in the form in which they are written. It is plain data. */
export interface CleanedBatch {
  /** Number of valid records. */
  readonly planned: number;
  /** Results of all others, with their rows as they were read if the page may show them. */
  readonly others: readonly RecordResult[];
  /** Text for the file of valid records. */
  readonly clean: string;
  readonly rejects: Rejected;
}

/** Findings about all records. */
export interface CleanFindings {
  /** The first records, finished. */
  readonly shown: readonly ShownRecord[];
  readonly changes: readonly Change[];
}

export interface RecordCleaning {
  /** Yields empty batches too, so that the consumer can stop between batches. */
  batches(): AsyncGenerator<CleanedBatch>;
  /** The findings in the batches so far. */
  findings(): CleanFindings;
}

/** Records of one batch. What waits in another thread survives collections if there are more. */
const MOST_RECORDS = 100;

/** Cleans, maps and plans the records of files, and formats what is written of them. */
export function cleanRecords(opened: ImportInputs, options: PrepareOptions, work: CleanWork): RecordCleaning {
  const changes = createChanges();
  const inputs = withCleanRows(opened, changes);
  const format = cleanFormatter(inputs, options.resource, work);
  const preview = createPreview(work.show, options.resource);
  const { plan } = cleaningPlanner(inputs, options);
  return {
    async *batches() {
      for await (const planned of prepareRecords(inputs, { ...options, onChecked: preview.note }, { plan })) {
        let from = 0;
        do {
          yield format(planned.slice(from, from + MOST_RECORDS), changes);
          from += MOST_RECORDS;
        } while (from < planned.length);
      }
    },
    findings: () => ({ shown: preview.shown, changes: changes.all() }),
  };
}

/** The planner of a clean-up. It compares records with nothing, so it needs no digests. */
export function cleaningPlanner(inputs: ImportInputs, options: PrepareOptions): Planner {
  return plannerFor(inputs, { ...options, dryRun: true });
}

/** Formats planned records, and counts the cells that the mapping changed in `changes`. */
export type FormatCleaned = (records: readonly PlannedRecord[], changes: Changes) => CleanedBatch;

export function cleanFormatter(inputs: ImportInputs, resource: Resource, work: CleanWork): FormatCleaned {
  const texts = cleanTexts(inputs, resource, work.run, work);
  return (records, changes) => {
    const good = records.filter(({ outcome }) => outcome === undefined);
    if (!work.keepColumns) for (const planned of good) noteMappedCells(planned, inputs, changes);
    const others = records.filter(({ outcome }) => outcome !== undefined);
    return {
      planned: good.length,
      others: others.map(resultOf),
      clean: texts.clean.of(good),
      rejects: texts.rejects.of(others),
    };
  };
}

function resultOf({ record, key, outcome }: PlannedRecord): RecordResult {
  if (outcome === undefined) throw new Error('a planned record has no result yet');
  const rows = INCOMPLETE.has(outcome.outcome) ? { rows: record.rows.map(rowAsRead) } : {};
  return { seq: record.seq, row: leadRowNumber(record), key, outcome, ...rows };
}
