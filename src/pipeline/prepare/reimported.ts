import type { EarlierRecord, FindEarlier } from '../../ledger/index.ts';
import type { FileBinding } from '../../map/index.ts';
import {
  contentDigest,
  INCOMPLETE,
  type Issue,
  notCorrected,
  originOf,
  type SourceRecord,
} from '../../model/index.ts';
import type { Reimport } from '../../plan/index.ts';
import { stillSplit, strays } from './reimported-groups.ts';

/**
 * Finds the earlier records that a re-imported record consists of, by the columns of errors.csv and by the ledger if it
 * knows their run. `find`: undefined if there is no ledger.
 */
export function reimportOf(
  record: SourceRecord,
  binding: FileBinding,
  find: FindEarlier | undefined,
): Reimport | undefined {
  const split = [...stillSplit(record, binding, find), ...strays(record, binding, find)];
  const earlier = find ? earlierRecords(record, binding, find) : [];
  const [first] = earlier;
  if (!find || !first) return unknownIn(record, binding, split);
  const doubtful = earlier.find(({ now }) => now.outcome === 'in-doubt');
  const issues = [...split, ...earlier.flatMap((each) => stillDamaged(each, record, binding))];
  return {
    refs: earlier.filter(({ outcome }) => INCOMPLETE.has(outcome)).map(({ ref }) => ref),
    isWhole: record.rows.every((row) => binding.earlier?.(row)?.row !== undefined),
    now: (doubtful ?? first).now,
    issues,
  };
}

/** Falls back to the outcome in the file if the ledger does not know the run: a record in doubt must not be sent. */
function unknownIn(
  { rows: [lead] }: SourceRecord,
  { earlier }: FileBinding,
  issues: readonly Issue[],
): Reimport | undefined {
  const says = lead && earlier?.(lead);
  if (!says || (says.outcome !== 'in-doubt' && issues.length === 0)) return undefined;
  const { run, outcome, code } = says;
  return { refs: [], isWhole: false, now: { run, outcome, code }, issues };
}

/** The earlier records, each once, in the order of the rows. */
function earlierRecords(
  { rows }: SourceRecord,
  { earlier, isUnordered, continues }: FileBinding,
  find: FindEarlier,
): readonly EarlierRecord[] {
  const found = new Map<string, EarlierRecord>();
  for (const [index, row] of rows.entries()) {
    const from = earlier?.(row);
    const record = from?.row === undefined ? undefined : find(from.run, from.row, row.cells);
    // With several files, the same row number exists in each. Grouped rows may be of other files than their lead, and rows
    // without a key are often alike.
    const isSure = index === 0 || !(isUnordered || continues?.(row)) || record?.files === 1;
    // A row that several records share does not identify the others.
    const isShared = index > 0 && record?.rows?.find((kept) => kept.row === from?.row)?.shared === true;
    if (record && isSure && !isShared) found.set(record.ref.join(), record);
  }
  return [...found.values()];
}

/**
 * Issues of rows that the earlier run could not read, and that are unchanged. The reader refuses such rows by the mark
 * after their message; this covers rows that lost the mark.
 */
function stillDamaged(
  { now, message, header, rows: kept = [] }: EarlierRecord,
  { rows }: SourceRecord,
  { earlier }: FileBinding,
): Issue[] {
  return rows.flatMap((row): Issue[] => {
    const from = earlier?.(row);
    const then = kept.find((each) => each.row === from?.row);
    if (row.issues || !from?.code || then?.damage === undefined) return [];
    if (contentDigest(row.table.header, row.cells) !== contentDigest(header, then.cells)) return [];
    return [{ code: then.damage, message: notCorrected(now.run, message), origin: originOf(row) }];
  });
}
