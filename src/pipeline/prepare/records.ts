import { type Completed, group, groupUnordered } from '../../group/index.ts';
import type { Checkpoint } from '../../ledger/index.ts';
import type { FileBinding } from '../../map/index.ts';
import { normalisedKey, type Row, type SourceRecord } from '../../model/index.ts';
import type { ImportInputs, SourceInput } from '../inputs/inputs.ts';
import { findApart } from './apart.ts';

export interface RecordsOptions {
  /** Place where reading begins; undefined for the beginning of the first file. Ignored if rows are in any order. */
  readonly from?: Checkpoint | undefined;
  /** Folder for temporary files with rows. */
  readonly spillFolder: string;
  /** Called with the share of rows that were emitted (0 to 1). Rows in any order are emitted after all are read. */
  readonly onDrained?: ((part: number) => void) | undefined;
}

/** Records of one batch, all of one file unless the mapping allows rows in any order. */
export interface RecordBatch {
  readonly records: readonly SourceRecord[];
  readonly file: number;
  readonly binding: FileBinding;
}

/** Reads the records of all files, numbered consecutively. */
export async function* recordsIn(inputs: ImportInputs, options: RecordsOptions): AsyncGenerator<RecordBatch> {
  const binding = inputs.inputs[0]?.binding;
  if (binding?.isUnordered) {
    const { spillFolder: folder, onDrained } = options;
    const keyOf = keyReader(binding);
    const { linksOf, sharesParts, isLead } = binding;
    const gathering = { ...(keyOf ? { keyOf } : {}), linksOf, sharesParts, isLead };
    for await (const records of groupUnordered(rowsIn(inputs), gathering, { folder, onDrained }))
      yield { records, file: 0, binding };
    return;
  }
  if (!binding?.groupKeyOf) return yield* consecutiveRecords(inputs.inputs, options.from);
  const finding = findApart(inputs.inputs, options.spillFolder);
  let found = await finding.next();
  for (; found.done !== true; found = await finding.next()) yield { records: [], file: 0, binding };
  const { inputs: readable, completed, close } = found.value;
  try {
    yield* consecutiveRecords(readable, options.from, completed);
  } finally {
    close();
  }
}

async function* consecutiveRecords(
  inputs: readonly SourceInput[],
  start: Pick<Checkpoint, 'seq' | 'file'> = { seq: 0, file: 0 },
  completed?: Completed,
): AsyncGenerator<RecordBatch> {
  let { seq } = start;
  for (const [file, { source, binding }] of inputs.entries()) {
    if (file < start.file) continue;
    const { groupKeyOf: keyOf, isLead, continues } = binding;
    const grouping = { keyOf, isLead, emptyContinues: continues !== undefined, completed };
    for await (const records of group(source.batches, grouping, seq)) {
      seq += records.length;
      yield { records, file, binding };
    }
  }
}

async function* rowsIn({ inputs }: ImportInputs): AsyncGenerator<readonly Row[]> {
  for (const { source } of inputs) yield* source.batches;
}

function keyReader({ groupKeyOf }: FileBinding): ((row: Row) => string) | undefined {
  return groupKeyOf && ((row) => normalisedKey(groupKeyOf(row)));
}
