import type { EarlierRecord, FindEarlier } from '../ledger/index.ts';
import type { Binding } from '../map/index.ts';
import {
  INCOMPLETE,
  type Issue,
  isOwnColumn,
  originOf,
  type Row,
  type SourceRecord,
} from '../model/index.ts';
import type { Returned } from '../plan/index.ts';

/** What the ledger has of the records that come back in a record, by the columns that errors.csv has for that. */
export function returnedIn(record: SourceRecord, binding: Binding, find: FindEarlier): Returned | undefined {
  const earlier = earlierRecords(record, binding, find);
  const [first] = earlier;
  if (!first) return undefined;
  const doubtful = earlier.find(({ now }) => now.outcome === 'in-doubt');
  const issues = [
    ...strays(record, binding, find),
    ...earlier.flatMap((each) => stillBroken(each, record, binding)),
  ];
  return {
    refs: earlier.filter(({ outcome }) => INCOMPLETE.has(outcome)).map(({ ref }) => ref),
    now: (doubtful ?? first).now,
    issues,
  };
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

/** The row could not be read as it stood. In errors.csv it looks sound, since that is written anew. */
const UNREADABLE = new Set([
  'ragged-row',
  'bad-bytes',
  'unterminated-quote',
  'text-after-quote',
  'cell-too-long',
]);

/** The rest of the record stands elsewhere in the file of that run. */
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

/** What was wrong with rows as such, and was not corrected: their cells are those that the run gave back. */
function stillBroken(before: EarlierRecord, record: SourceRecord, binding: Binding): Issue[] {
  const { code, field, message, rows = [], now } = before;
  if (!UNREADABLE.has(code) && code !== SPLIT) return [];
  const same = pairsOf(record.rows, before, binding).filter(([now, then]) => isSame(now, then));
  const broken = same.filter(([, { cells }]) => isBroken(cells, before.header.length));
  if (broken.length === 0 && (same.length < rows.length || record.rows.length > rows.length)) return [];
  return [
    {
      code,
      message: `not corrected since the run ${now.run} refused it: ${message}`,
      ...(field === undefined ? {} : { field }),
    },
  ];
}

/** Cells of the source, as they are now and as they were. */
interface Cells {
  /** As they were. */
  readonly cells: readonly string[];
  readonly of: readonly string[];
}

function pairsOf(
  rows: readonly Row[],
  { rows: kept = [], header }: EarlierRecord,
  { earlier }: Binding,
): [Row, Cells][] {
  return rows.flatMap((row): [Row, Cells][] => {
    const then = kept.find((each) => each.row === earlier?.(row)?.row);
    return then ? [[row, { cells: then.cells, of: header }]] : [];
  });
}

/** Whether no cell was changed. A column that was removed is a change. */
function isSame({ table, cells }: Row, then: Cells): boolean {
  const [now, before] = [ownCells(table.header, cells), ownCells(then.of, then.cells)];
  return now.length === before.length && now.every((cell, index) => cell === before[index]);
}

function ownCells(header: readonly string[], cells: readonly string[]): string[] {
  return header.flatMap((name, index) => (isOwnColumn(name) ? [] : [cells[index] ?? '']));
}

/** Of the rows of a record, those that show it by themselves. */
function isBroken(cells: readonly string[], width: number): boolean {
  return (
    cells.length < width ||
    cells.some((cell, index) => (index >= width && cell !== '') || cell.includes('\uFFFD'))
  );
}
