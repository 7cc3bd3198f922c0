import type { Checkpoint, StoreHistory } from '../../ledger/index.ts';
import type { FileBinding } from '../../map/index.ts';
import type { PlannedRecord, Row, SourceRecord } from '../../model/index.ts';
import {
  type CheckedRecord,
  createPlanner,
  keyFor,
  type Planner,
  type PlanOptions,
} from '../../plan/index.ts';
import { repeatsNoter, suspectsNoter } from '../inputs/damage-report.ts';
import { nothingIn } from '../inputs/empty-rows.ts';
import type { BoundMapping, ImportInputs } from '../inputs/inputs.ts';
import { warningsNoter } from '../inputs/mapping-warnings.ts';
import { createLeftOutImages, createMissingGroupKeys } from '../inputs/warnings.ts';
import { type CheckOptions, createRecordChecks, keyOfGroup } from './check-record.ts';
import { createDisagreements } from './disagreements.ts';
import { createRecordWarnings } from './record-warnings.ts';
import { recordsIn } from './records.ts';

export interface PrepareOptions extends Omit<PlanOptions, 'grouping' | 'files' | 'knownIds'>, CheckOptions {
  /** Number of records to skip at the beginning. */
  readonly offset: number;
  /** Maximum number of records. */
  readonly limit?: number | undefined;
  /** Called with the size of each batch, for progress. */
  readonly onPrepared: (records: number) => void;
  /** Called with the share of rows that were emitted (0 to 1), if all rows are grouped on disk first. */
  readonly onDrained?: ((part: number) => void) | undefined;
  /** Called about every thousand records with a place from which the files can be read again. */
  readonly onCheckpoint?: ((mark: Checkpoint) => void) | undefined;
  /** Knowledge of earlier runs about the store, for the warnings of a check, which does not plan by it. */
  readonly compareWith?: Pick<StoreHistory, 'lookup' | 'sourceOf'> | undefined;
  /** Called at the end with warnings: rows that are valid but probably unintended. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** State of an earlier execution of the run. */
  readonly resume?: ResumeState | undefined;
}

/** State for resuming a run. */
export interface ResumeState {
  /** Place where reading begins; undefined for the beginning of the first file. */
  readonly from?: Checkpoint | undefined;
  isSettled(seq: number): boolean;
  /** Knows the keys of all settled records. The creator of this state closes it. */
  readonly planner: Planner;
}

/** Minimum number of records between checkpoints. */
const MARK_EVERY = 1000;

/** rows → records → payloads → checked → planned: the flow up to sending. */
export async function* prepareRecords(
  inputs: ImportInputs,
  options: PrepareOptions,
): AsyncGenerator<PlannedRecord[]> {
  const grouping = groupingOf(inputs, options);
  if (options.resume) return yield* planWith(options.resume.planner, grouping, inputs, options);
  const planner = createPlanner({
    ...options,
    grouping,
    files: fileNames(inputs),
    knownIds: options.knowledge?.ids,
  });
  try {
    yield* planWith(planner, grouping, inputs, options);
  } finally {
    planner.close();
  }
}

async function* planWith(
  planner: Planner,
  grouping: PlanOptions['grouping'],
  inputs: ImportInputs,
  options: PrepareOptions,
): AsyncGenerator<PlannedRecord[]> {
  const { resume, onCheckpoint } = options;
  const leftOutImages = createLeftOutImages();
  const noteWarnings = warningsNoter(inputs.inputs);
  const recordWarnings = createRecordWarnings({
    ...options,
    knowledge: options.knowledge ?? options.compareWith,
    add: noteWarnings,
  });
  const { map, validate } = createRecordChecks(inputs, options, {
    noteWarnings,
    onLeftOut: leftOutImages.note,
  });
  const noteSuspects = suspectsNoter(inputs.inputs);
  const noteRepeats = repeatsNoter(inputs.inputs);
  const marks = canBeReadOn(inputs);
  const missingGroupKeys = createMissingGroupKeys(inputs);
  const disagreements = createDisagreements({
    resource: options.resource,
    groupBy: inputs.mapping.groupBy,
    warned: inputs.inputs.flatMap(({ mappingWarnings }) =>
      mappingWarnings.all().map(({ message }) => message),
    ),
    onWarning: (each, message) => noteWarnings(each.record, keyFor(options.resource, each), [message]),
  });
  const last = options.limit === undefined ? Number.POSITIVE_INFINITY : options.offset + options.limit;
  const isWanted = ({ seq }: SourceRecord) => seq >= options.offset && seq < last && !resume?.isSettled(seq);
  const from = resume?.from;
  let seq = from?.seq ?? 0;
  let marked = seq;
  for await (const { records, file, binding } of recordsIn(inputs, { ...options, from })) {
    const mark = marks && seq - marked >= MARK_EVERY ? checkpointAt(file, records, inputs) : undefined;
    if (mark) {
      onCheckpoint?.(mark);
      marked = seq;
    }
    seq += records.length;
    missingGroupKeys.note(records, file);
    const wanted = records.filter(isWanted);
    if (resume && wanted.length < records.length) passOver(records, binding);
    noteSuspects(wanted);
    options.onPrepared(wanted.length);
    // Yields empty batches too, so that the consumer can stop between batches.
    const checked = wanted.length > 0 ? validate(map(wanted, binding), binding) : [];
    noteRepeats(checked, binding);
    yield plan(checked, binding);
    if (seq >= last) break;
  }
  // A run over a part of the files cannot know whether a file is empty.
  if (!resume && seq < last)
    for (const { source, emptyRows } of inputs.inputs) {
      const warning = nothingIn(source, emptyRows);
      if (warning !== undefined) options.onWarning?.(warning);
    }
  for (const each of [missingGroupKeys, leftOutImages])
    for (const warning of each.warnings()) options.onWarning?.(warning);

  function plan(checked: readonly CheckedRecord[], binding: FileBinding): PlannedRecord[] {
    const planned = checked.map((each) => planner.plan(disagreements.note(each, binding)));
    recordWarnings.note(checked, planned);
    for (const { record, key } of planned) if (record.warnings) noteWarnings(record, key, record.warnings);
    return planned;
  }

  /** Claims the group keys of settled records, so that later rows of them are refused. Record keys are in the ledger. */
  function passOver(records: readonly SourceRecord[], { groupKeyOf }: FileBinding): void {
    if (grouping !== 'by-other') return;
    for (const record of records) {
      const groupKey = resume?.isSettled(record.seq) ? keyOfGroup(record, groupKeyOf) : undefined;
      if (groupKey) planner.claimGroup(groupKey, record);
    }
  }
}

/** False if rows are grouped on disk, or skipped and counted: both need the files from their beginning. */
function canBeReadOn({ inputs }: ImportInputs): boolean {
  return inputs.every(({ binding }) => !binding.isUnordered && binding.isSkipped === undefined);
}

function checkpointAt(
  file: number,
  [first]: readonly SourceRecord[],
  { inputs }: ImportInputs,
): Checkpoint | undefined {
  // The first row of the record in this file: its lead may be further down, and its other rows in another file.
  const table = inputs[file]?.source.table;
  const row = first?.rows
    .filter((each) => each.table === table)
    .reduce<Row | undefined>((a, b) => (a === undefined || b.row < a.row ? b : a), undefined);
  return first && row?.offset !== undefined
    ? { seq: first.seq, file, offset: row.offset, row: row.row, line: row.line }
    : undefined;
}

export function fileNames({ inputs }: Pick<ImportInputs, 'inputs'>): string[] {
  return inputs.map(({ source }) => source.table.file);
}

/** `by-key` if the group's key is also the record's key, so that the ledger has it too. */
export function groupingOf(
  { mapping }: Pick<BoundMapping, 'mapping'>,
  { resource }: Pick<PrepareOptions, 'resource'>,
): PlanOptions['grouping'] {
  const { groupBy, keyBy } = mapping;
  if (groupBy === undefined) return 'none';
  if (keyBy !== undefined) return keyBy === groupBy ? 'by-key' : 'by-other';
  const rule = mapping.fields.find(({ path }) => path.join('.') === resource.key?.[0])?.rule;
  const isKey =
    rule?.kind === 'value' && rule.source.kind === 'columns' && rule.source.names.join() === groupBy;
  return isKey ? 'by-key' : 'by-other';
}
