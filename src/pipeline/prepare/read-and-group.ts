import { type Completed, group, groupUnordered } from '../../group/index.ts';
import type { Checkpoint } from '../../ledger/index.ts';
import type { FileBinding, Mapping } from '../../map/index.ts';
import { normalisedKey, type Row, type SourceRecord, type Table } from '../../model/index.ts';
import type { RecordGrouping } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import type { RecordsOptions } from './options.ts';
import { findSplitGroups, type SplitGroups } from './split-groups.ts';

/** Records of one batch, all of one file unless the mapping allows rows in any order. */
export interface RecordBatch {
  readonly records: readonly SourceRecord[];
  /** Index of the file. */
  readonly file: number;
  readonly binding: FileBinding;
}

/** Minimum number of records between checkpoints. */
const CHECKPOINT_EVERY = 1000;

/**
 * Reads the rows of all files and groups them into records, numbered consecutively. `from`: the place where reading begins;
 * ignored if rows are in any order.
 */
export async function* readAndGroup(
  inputs: ImportInputs,
  options: RecordsOptions,
  from: Checkpoint | undefined,
): AsyncGenerator<RecordBatch> {
  const { files } = inputs;
  const binding = files[0]?.binding;
  if (binding?.isUnordered) {
    const { spillFolder: folder, onDrained } = options;
    const keyOf = keyReader(binding);
    const { linksOf, sharesParts, isLead } = binding;
    const grouping = { ...(keyOf ? { keyOf } : {}), linksOf, sharesParts, isLead };
    for await (const records of groupUnordered(rowsIn(inputs), grouping, { folder, onDrained }))
      yield { records, file: 0, binding };
    return;
  }
  const start = from ?? { seq: 0, file: 0 };
  if (!binding?.groupKeyOf) return yield* consecutiveRecords(files, start, options);
  const { files: readable, completed, close } = yield* splitGroups(inputs, binding, options.spillFolder);
  try {
    yield* consecutiveRecords(readable, start, { ...options, completed });
  } finally {
    close();
  }
}

/** Yields an empty batch for each step of the search, so that the caller can stop it. */
async function* splitGroups(
  { files }: ImportInputs,
  binding: FileBinding,
  folder: string,
): AsyncGenerator<RecordBatch, SplitGroups> {
  const search = findSplitGroups(files, folder);
  try {
    for (;;) {
      const found = await search.next();
      if (found.done) return found.value;
      yield { records: [], file: 0, binding };
    }
  } finally {
    // If the caller stops, the search closes its files. After its end this does nothing.
    await search.return(undefined as never);
  }
}

async function* consecutiveRecords(
  files: readonly InputFile[],
  start: { readonly seq: number; readonly file: number },
  { completed, onCheckpoint }: RecordsOptions & { readonly completed?: Completed | undefined },
): AsyncGenerator<RecordBatch> {
  let { seq } = start;
  let lastCheckpoint = seq;
  // Rows that are skipped are counted, and values are carried down, so the files are needed from their beginning.
  const canResume = files.every(
    ({ source, binding }) => !binding.isSkipped && !binding.carried && source.leftOutRows === undefined,
  );
  for (const [file, { source, binding }] of files.entries()) {
    if (file < start.file) continue;
    const { groupKeyOf: keyOf, isLead, continuesAbove } = binding;
    const grouping = { keyOf, isLead, emptyContinues: continuesAbove !== undefined, completed };
    for await (const records of group(source.batches, grouping, seq)) {
      const isDue = canResume && seq - lastCheckpoint >= CHECKPOINT_EVERY;
      const checkpoint = isDue ? checkpointAt(records[0], file, source.table) : undefined;
      if (checkpoint) {
        onCheckpoint?.(checkpoint);
        lastCheckpoint = seq;
      }
      seq += records.length;
      yield { records, file, binding };
    }
  }
}

/** The place of a record's first row in this file. Its lead may be further down, and its other rows in another file. */
function checkpointAt(record: SourceRecord | undefined, file: number, table: Table): Checkpoint | undefined {
  const row = record?.rows
    .filter((each) => each.table === table)
    .reduce<Row | undefined>((a, b) => (a === undefined || b.row < a.row ? b : a), undefined);
  return record && row?.offset !== undefined
    ? { seq: record.seq, file, offset: row.offset, row: row.row, line: row.line }
    : undefined;
}

async function* rowsIn({ files }: ImportInputs): AsyncGenerator<readonly Row[]> {
  for (const { source } of files) yield* source.batches;
}

function keyReader({ groupKeyOf }: FileBinding): ((row: Row) => string) | undefined {
  return groupKeyOf && ((row) => normalisedKey(groupKeyOf(row)));
}

/** `by-key` if the group's key is also the record's key, so that the ledger has it too. */
export function groupingOf({ groupBy, keyBy, fields }: Mapping, resource: Resource): RecordGrouping {
  if (groupBy === undefined) return 'none';
  if (keyBy !== undefined) return groupBy.join('\n') === keyBy ? 'by-key' : 'by-other';
  const rule = fields.find(({ path }) => path.join('.') === resource.key?.[0])?.rule;
  const isKey =
    groupBy.length === 1 &&
    rule?.kind === 'value' &&
    rule.source.kind === 'columns' &&
    rule.source.names.join() === groupBy[0];
  return isKey ? 'by-key' : 'by-other';
}
