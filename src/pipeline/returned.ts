import type { EarlierRecord, FindEarlier } from '../ledger/index.ts';
import type { Binding } from '../map/index.ts';
import {
  contentDigest,
  INCOMPLETE,
  type Issue,
  normalisedKey,
  notCorrected,
  originOf,
  type SourceRecord,
} from '../model/index.ts';
import { type Returned, splitKeyIn, stillSplitGroup } from '../plan/index.ts';
import { conflictOf, wasConflict } from './disagreements.ts';

/**
 * What is known of the records that come back in a record: by the columns that errors.csv has for that, and by the ledger
 * where it knows their run. `find`: undefined where there is no ledger.
 */
export function returnedIn(
  record: SourceRecord,
  binding: Binding,
  find: FindEarlier | undefined,
): Returned | undefined {
  const split = stillSplit(record, binding, find);
  const earlier = find ? earlierRecords(record, binding, find) : [];
  const [first] = earlier;
  if (!find || !first) return unknownIn(record, binding, split);
  const doubtful = earlier.find(({ now }) => now.outcome === 'in-doubt');
  const issues = [
    ...split,
    ...strays(record, binding, find),
    ...earlier.flatMap((each) => stillDamaged(each, record, binding)),
  ];
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
  { earlier }: Binding,
  issues: readonly Issue[],
): Returned | undefined {
  const says = lead && earlier?.(lead);
  if (!says || (says.outcome !== 'in-doubt' && issues.length === 0)) return undefined;
  const { run, outcome, code } = says;
  return { refs: [], isWhole: false, now: { run, outcome, code }, issues };
}

/** Each once, in the order of the rows. */
function earlierRecords(
  { rows }: SourceRecord,
  { earlier, gathers, continues }: Binding,
  find: FindEarlier,
): readonly EarlierRecord[] {
  const found = new Map<string, EarlierRecord>();
  for (const [index, row] of rows.entries()) {
    const from = earlier?.(row);
    const record = from?.row === undefined ? undefined : find(from.run, from.row, row.cells);
    // In several files the number may be that of another row: of rows that were gathered, which may be of other files than their
    // lead, and of rows without a key, which may well be alike.
    const isSure = index === 0 || !(gathers || continues?.(row)) || record?.files === 1;
    // A part of several records came back with this one, and not the others with it.
    const isShared = index > 0 && record?.rows?.find((kept) => kept.row === from?.row)?.shared === true;
    if (record && isSure && !isShared) found.set(record.ref.join(), record);
  }
  return [...found.values()];
}

/** Other rows of the record were elsewhere in the file of that run. */
const SPLIT = 'group-split';

/**
 * A row without a key continues whatever stands above it: where the row was deleted that it belonged to, that is another record,
 * and it must not become a part of that one.
 */
function strays({ rows: [lead, ...rest] }: SourceRecord, { earlier, continues }: Binding, find: FindEarlier) {
  const from = lead && continues && earlier?.(lead);
  if (from?.row === undefined) return [];
  const own = find(from.run, from.row, lead?.cells ?? [])?.rows;
  return rest.flatMap((row): Issue[] => {
    const then = continues?.(row) ? earlier?.(row) : undefined;
    if (then?.row === undefined) return [];
    if (then.run === from.run && (own?.some((each) => each.row === then.row) ?? true)) return [];
    return [
      {
        code: SPLIT,
        message:
          `it continued another row in the run ${then.run}, where it was row ${then.row}: ` +
          'put that row above it again, or delete this one too',
        origin: originOf(row),
      },
    ];
  });
}

/**
 * Rows that the run could not read, and that say the same now. What they are refused for the reader knows by the mark
 * behind their message; this is for those that lost it.
 */
function stillDamaged(
  { now, message, header, rows: kept = [] }: EarlierRecord,
  { rows }: SourceRecord,
  { earlier }: Binding,
): Issue[] {
  return rows.flatMap((row): Issue[] => {
    const from = earlier?.(row);
    const then = kept.find((each) => each.row === from?.row);
    if (row.issues || !from?.code || then?.damage === undefined) return [];
    if (contentDigest(row.table.header, row.cells) !== contentDigest(header, then.cells)) return [];
    return [{ code: then.damage, message: notCorrected(now.run, message), origin: originOf(row) }];
  });
}

/**
 * What was wrong with a group whose rows stood apart, and still is, though errors.csv has them side by side: they contradict
 * each other, or they are only a part of it. Alone a part is no record, whatever was corrected in it: as an update it would
 * take away the rest. With other rows, or under another key, it is one.
 */
function stillSplit(record: SourceRecord, binding: Binding, find: FindEarlier | undefined): Issue[] {
  const { earlier, groupKeyOf } = binding;
  const [lead] = record.rows;
  if (!groupKeyOf || !lead) return [];
  const key = groupKeyOf(lead);
  const split = record.rows.flatMap((row) => {
    const then = earlier?.(row);
    if (then?.code !== SPLIT || then.run === '') return [];
    const known = then.row === undefined ? undefined : find?.(then.run, then.row, row.cells);
    return [{ run: then.run, message: then.message || (known?.message ?? '') }];
  });
  const [first] = split;
  if (!first) return [];
  if (split.some(({ message }) => wasConflict(message))) return conflictOf(record, binding, key);
  const isPart = ({ message }: { readonly message: string }) =>
    normalisedKey(splitKeyIn(message) ?? '') === normalisedKey(key);
  return split.length === record.rows.length && split.every(isPart) ? [stillSplitGroup(key, first.run)] : [];
}
