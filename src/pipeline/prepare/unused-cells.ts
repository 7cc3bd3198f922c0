import type { FileBinding } from '../../map/index.ts';
import { cutText, isObject, type Json, type Row, type SourceRecord, shownCell } from '../../model/index.ts';
import type { UnusedColumn } from '../../report/index.ts';

/** Records that are looked at: a column that is empty in all of them is shown without a cell. */
const MOST_RECORDS = 1000;
const MOST_CHARACTERS = 60;

/** Collects a cell of each unused column from the first records. */
export function createUnusedCells() {
  const cells = new Map<string, string | undefined>();
  let looked = 0;
  return {
    note(records: readonly { readonly record: SourceRecord }[], { unused }: FileBinding): void {
      for (const name of unused) if (!cells.has(name)) cells.set(name, undefined);
      if (looked >= MOST_RECORDS) return;
      looked += records.length;
      const open = unused.filter((name) => cells.get(name) === undefined);
      for (const name of open) {
        const found = firstCell(records, name);
        if (found !== undefined) cells.set(name, shownCell(name, cutText(found, MOST_CHARACTERS)));
      }
    },
    columns: (): UnusedColumn[] => [...cells].map(([column, sample]) => ({ column, sample })),
  };
}

function firstCell(records: readonly { readonly record: SourceRecord }[], name: string): string | undefined {
  for (const { record } of records)
    for (const row of record.rows) {
      const text = cellIn(row, name).trim();
      if (text !== '') return text;
    }
  return undefined;
}

/** The text of a column, or of a field of a JSON object by its path. */
function cellIn({ table, cells, value }: Row, name: string): string {
  if (!isObject(value)) return cells[table.header.indexOf(name)] ?? '';
  const found = name
    .split('.')
    .reduce<Json | undefined>(
      (inner, key) =>
        isObject(inner) ? inner[key.replace(/\[\]$/, '')] : Array.isArray(inner) ? undefined : inner,
      value,
    );
  return found === undefined || found === null
    ? ''
    : typeof found === 'string'
      ? found
      : JSON.stringify(found);
}
