import { says } from '../names/read-name.ts';
import type { ReadColumn } from '../sample.ts';
import { type GroupingGuess, isKeyOfRows, type ListedParts } from './grouping.ts';

/** Marks between the entries of a list. */
const BETWEEN = ['|', ';', '\n', ','];

/** Share of the entries that name a row of the sample, which may be a part of the file. Pairs with a name say what they are. */
const MIN_KNOWN = { codes: 0.7, pairs: 0.2 };
/** Share of the parts that one row alone lists. */
const MIN_OWN = 0.9;

/** Finds a column of variants whose cells list the keys of other rows: `A-S|A-M`, or `sku=A-S,size=S|sku=A-M,size=M`. */
export function byListedParts(columns: readonly ReadColumn[]): GroupingGuess | undefined {
  for (const column of columns) {
    if (!says(column.reading, 'variant') || column.profile.filled.length === 0) continue;
    for (const name of columns)
      if (name !== column && isKeyOfRows(name)) {
        const found = listedIn(column, name);
        if (found) return found;
      }
  }
  return undefined;
}

/** The reading of the lists by the mark that yields most parts: cut at another one, an entry swallows those behind it. */
function listedIn(column: ReadColumn, name: ReadColumn): GroupingGuess | undefined {
  const rows = new Map(name.cells.map((cell, row) => [cell.trim(), row]));
  rows.delete('');
  const [best] = BETWEEN.flatMap((between) => partsCutAt(between, column, rows) ?? []).sort(
    (a, b) => b.above.size - a.above.size,
  );
  return best && { kind: 'parts', name, ...best };
}

/** The parts that lists name if they are cut at this mark; undefined if they are no lists of parts then. */
function partsCutAt(between: string, column: ReadColumn, rows: ReadonlyMap<string, number>) {
  const lists = column.cells.flatMap((cell, row) =>
    cell.trim() === '' ? [] : [{ row, entries: entriesOf(cell, between) }],
  );
  const entries = lists.flatMap((list) => list.entries);
  const pair = entries
    .flatMap((entry) => pairsOf(entry).find(({ value }) => rows.has(value))?.key ?? [])
    .at(0);
  const codeOf = (entry: string) =>
    pair === undefined ? entry : pairsOf(entry).find(({ key }) => key === pair)?.value;
  // Cut at another mark, most entries have no code.
  if (entries.filter((entry) => codeOf(entry) !== undefined).length < MIN_OWN * entries.length)
    return undefined;
  const listed = lists.flatMap((list) =>
    list.entries.flatMap((entry) => {
      const part = rows.get(codeOf(entry) ?? '');
      return part === undefined ? [] : [{ row: list.row, part }];
    }),
  );
  const others = listed.filter(({ row, part }) => row !== part);
  const parts = new Set(others.map(({ part }) => part));
  const above = new Map(others.flatMap(({ row, part }) => (parts.has(row) ? [] : [[part, row]])));
  const minKnown = pair === undefined ? MIN_KNOWN.codes : MIN_KNOWN.pairs;
  if (above.size < 2 || listed.length < minKnown * entries.length) return undefined;
  if (above.size < MIN_OWN * listed.length) return undefined;
  const options = pair === undefined ? 0 : Math.max(...entries.map((entry) => pairsOf(entry).length - 1));
  return { above, parts: { column, between, pair, options } };
}

function entriesOf(cell: string, between: string): string[] {
  return cell
    .split(between)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** The pairs of an entry, such as `sku=A-S,size=S`; none if it has a part that is no pair. */
function pairsOf(entry: string): { readonly key: string; readonly value: string }[] {
  const pairs = entry.split(',').map((part) => /^\s*([\p{L}\d_ -]{1,40})=(.*)$/su.exec(part));
  if (pairs.some((pair) => pair === null)) return [];
  return pairs.map((pair) => ({ key: (pair?.[1] ?? '').trim(), value: (pair?.[2] ?? '').trim() }));
}

/** The parts of a record as `parts` of a mapping reads them. */
export function partsText({ column, between, pair }: ListedParts): Record<string, unknown> {
  if (pair === undefined) return { from: column.name, split: between };
  const key = pair.replaceAll(/[-]/g, '\\$&');
  return {
    from: column.name,
    split: between,
    replace: { match: `^(?:.*,)?\\s*${key}\\s*=([^,]*).*$`, with: '$1' },
  };
}
