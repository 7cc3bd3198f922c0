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
import { createKeyless } from '../inputs/keyless.ts';
import { createLeftOutImages } from '../inputs/left-out-images.ts';
import { warningsNoter } from '../inputs/mapping-warnings.ts';
import { type CheckOptions, checker, keyOfGroup } from './check-record.ts';
import { createDisagreements } from './disagreements.ts';
import { createRecordWarnings } from './record-warnings.ts';
import { recordsIn } from './records.ts';

export interface PrepareOptions extends Omit<PlanOptions, 'grouping' | 'files' | 'knownIds'>, CheckOptions {
  /** Records to pass over before the first one is taken. */
  readonly offset: number;
  /** Records to take at most. */
  readonly limit?: number | undefined;
  /** Told how many records are on their way to the store, for progress. */
  readonly onPlanned: (records: number) => void;
  /** Told how much of what was read is on its way, where rows are gathered first. */
  readonly onGiven?: ((part: number) => void) | undefined;
  /** Told, every thousand records or so, where the files can be read on. */
  readonly onCheckpoint?: ((mark: Checkpoint) => void) | undefined;
  /** In a check, which does not plan by it: what earlier runs know of the store, to warn by. */
  readonly compareWith?: Pick<StoreHistory, 'lookup' | 'sourceOf'> | undefined;
  /** Told at the end what is allowed about the rows, and may still not be meant. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** What an earlier execution of the run has done. */
  readonly goOn?: ResumeState | undefined;
}

/** Where a run goes on that was executed before. */
export interface ResumeState {
  /** Where reading begins; undefined: at the beginning of the first file. */
  readonly from?: Checkpoint | undefined;
  isSettled(seq: number): boolean;
  /** It knows all that is settled; whoever made it closes it. */
  readonly planner: Planner;
}

/** Between two places from which a run can be resumed, so many records lie at least. */
const MARK_EVERY = 1000;

/** rows → records → payloads → checked → planned: the flow up to the point where the store comes in. */
export async function* prepareRecords(
  inputs: ImportInputs,
  options: PrepareOptions,
): AsyncGenerator<PlannedRecord[]> {
  const grouping = groupingOf(inputs, options);
  if (options.goOn) return yield* planWith(options.goOn.planner, grouping, inputs, options);
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
  const { goOn, onCheckpoint } = options;
  const leftOutImages = createLeftOutImages();
  const noteWarnings = warningsNoter(inputs.inputs);
  const recordWarnings = createRecordWarnings({
    ...options,
    knowledge: options.knowledge ?? options.compareWith,
    add: noteWarnings,
  });
  const check = checker(inputs, options, {
    noteWarnings,
    onLeftOut: leftOutImages.note,
  });
  const noteSuspects = suspectsNoter(inputs.inputs);
  const noteRepeats = repeatsNoter(inputs.inputs);
  const marks = canBeReadOn(inputs);
  const keyless = createKeyless(inputs);
  const disagreements = createDisagreements({
    resource: options.resource,
    groupBy: inputs.mapping.groupBy,
    warned: inputs.inputs.flatMap(({ mappingWarnings }) =>
      mappingWarnings.all().map(({ message }) => message),
    ),
    onWarning: (each, message) => noteWarnings(each.record, keyFor(options.resource, each), [message]),
  });
  const last = options.limit === undefined ? Number.POSITIVE_INFINITY : options.offset + options.limit;
  const isWanted = ({ seq }: SourceRecord) => seq >= options.offset && seq < last && !goOn?.isSettled(seq);
  const from = goOn?.from;
  let seq = from?.seq ?? 0;
  let marked = seq;
  for await (const { records, file, binding } of recordsIn(inputs, { ...options, from })) {
    const mark = marks && seq - marked >= MARK_EVERY ? checkpointAt(file, records, inputs) : undefined;
    if (mark) {
      onCheckpoint?.(mark);
      marked = seq;
    }
    seq += records.length;
    keyless.note(records, file);
    const wanted = records.filter(isWanted);
    if (goOn && wanted.length < records.length) passOver(records, binding);
    noteSuspects(wanted);
    options.onPlanned(wanted.length);
    // Also where there are none: whoever waits can then see whether to go on.
    const checked = wanted.length > 0 ? check(wanted, binding) : [];
    noteRepeats(checked, binding);
    yield planAll(checked, binding);
    if (seq >= last) break;
  }
  // Of a part of the files nothing can be said.
  if (!goOn && seq < last)
    for (const { source, emptyRows } of inputs.inputs) {
      const warning = nothingIn(source, emptyRows);
      if (warning !== undefined) options.onWarning?.(warning);
    }
  for (const each of [keyless, leftOutImages])
    for (const warning of each.warnings()) options.onWarning?.(warning);

  function planAll(checked: readonly CheckedRecord[], binding: FileBinding): PlannedRecord[] {
    const planned = checked.map((each) => planner.plan(disagreements.note(each, binding)));
    recordWarnings.note(checked, planned);
    for (const { record, key } of planned) if (record.warnings) noteWarnings(record, key, record.warnings);
    return planned;
  }

  /** Groups that are settled must still not come back; their own keys the planner knows from the ledger. */
  function passOver(records: readonly SourceRecord[], { groupKeyOf }: FileBinding): void {
    if (grouping !== 'by-other') return;
    for (const record of records) {
      const groupKey = goOn?.isSettled(record.seq) ? keyOfGroup(record, groupKeyOf) : undefined;
      if (groupKey) planner.knowGroup(groupKey, record);
    }
  }
}

/** Rows that are gathered, and rows that are left out and counted, are known only from the beginning. */
function canBeReadOn({ inputs }: ImportInputs): boolean {
  return inputs.every(({ binding }) => !binding.isUnordered && binding.isSkipped === undefined);
}

function checkpointAt(
  file: number,
  [first]: readonly SourceRecord[],
  { inputs }: ImportInputs,
): Checkpoint | undefined {
  // Where the record begins: the row that leads it may stand further down, and its other rows in another file.
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

/** Whether the key of a group is known from the record's own: then the ledger has it too. */
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
