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
 * What is known of the records that come back in a record: by the columns that errors.csv has for that, and by the ledger
 * where it knows their run. `find`: undefined where there is no ledger.
 */
export function returnedIn(
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

/** Where the ledger does not know the run, what the file says of doubt must do. */
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

/** Each once, in the order of the rows. */
function earlierRecords(
  { rows }: SourceRecord,
  { earlier, isUnordered, continues }: FileBinding,
  find: FindEarlier,
): readonly EarlierRecord[] {
  const found = new Map<string, EarlierRecord>();
  for (const [index, row] of rows.entries()) {
    const from = earlier?.(row);
    const record = from?.row === undefined ? undefined : find(from.run, from.row, row.cells);
    // In several files the number may be that of another row: of rows that were gathered, which may be of other files than their
    // lead, and of rows without a key, which may well be alike.
    const isSure = index === 0 || !(isUnordered || continues?.(row)) || record?.files === 1;
    // A part of several records came back with this one, and not the others with it.
    const isShared = index > 0 && record?.rows?.find((kept) => kept.row === from?.row)?.shared === true;
    if (record && isSure && !isShared) found.set(record.ref.join(), record);
  }
  return [...found.values()];
}

/**
 * Rows that the run could not read, and that say the same now. What they are refused for the reader knows by the mark
 * behind their message; this is for those that lost it.
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
