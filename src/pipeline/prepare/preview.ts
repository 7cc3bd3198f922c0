import type { FileBinding } from '../../map/index.ts';
import {
  HIDDEN,
  hideValues,
  isObject,
  type Json,
  type JsonObject,
  originOf,
  type Row,
  SURPLUS_COLUMN,
  surplusIn,
} from '../../model/index.ts';
import { type CheckedRecord, keyFor } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';

/** A record as it would be sent, beside the cells that it was made of. */
export interface ShownRecord {
  readonly file: string;
  readonly key: string;
  readonly source: readonly ShownRow[];
  readonly payload: JsonObject;
  readonly issues: readonly ShownIssue[];
}

/** A row with its cells that are not empty. */
export interface ShownRow {
  readonly row: number;
  readonly cells: Readonly<Record<string, Json>>;
}

export interface ShownIssue {
  readonly row?: number | undefined;
  readonly column?: string | undefined;
  readonly field?: string | undefined;
  readonly code: string;
  readonly message: string;
}

/** Rows of a record that are shown: products with hundreds of variants would fill the screen. */
const MOST_ROWS = 20;

/** Collects the first `count` records. Secret fields, such as a customer's password, are hidden. */
export function createPreview(count: number, resource: Resource) {
  const shown: ShownRecord[] = [];
  return {
    shown,
    note(records: readonly CheckedRecord[], binding: FileBinding): void {
      for (const record of records) {
        if (shown.length >= count) return;
        shown.push(shownRecord(record, binding, resource));
      }
    },
  };
}

/** A record as people see it. Secret fields are hidden. */
export function shownRecord(checked: CheckedRecord, binding: FileBinding, resource: Resource): ShownRecord {
  const { record, payload, issues } = checked;
  const { secret = [] } = resource;
  const hide = (text: string) => hideValues(text, payload, secret);
  const secretColumns = secret.flatMap((field) => binding.locate(record, field).column ?? []);
  const [lead] = record.rows;
  return {
    file: lead?.table.file ?? '',
    key: keyFor(resource, checked),
    source: record.rows
      .slice(0, MOST_ROWS)
      .map((row) => ({ row: row.row, cells: cellsOf(row, secretColumns, hide) })),
    payload: Object.fromEntries(
      Object.entries(payload).map(([field, value]) => [field, secret.includes(field) ? HIDDEN : value]),
    ),
    issues: issues.map(({ code, message, field, column, origin }) => ({
      row: origin?.row ?? (lead && originOf(lead).row),
      column,
      field,
      code,
      message: hide(message),
    })),
  };
}

/** Cells by column, or the fields of a JSON object. */
function cellsOf(
  { table, cells, value }: Row,
  secretColumns: readonly string[],
  hide: (text: string) => string,
): Record<string, Json> {
  if (isObject(value)) return JSON.parse(hide(JSON.stringify(value))) as JsonObject;
  const surplus = surplusIn(table.header, cells);
  return {
    ...Object.fromEntries(
      table.header.flatMap((name, index) => {
        const text = cells[index] ?? '';
        return text.trim() === '' ? [] : [[name, secretColumns.includes(name) ? HIDDEN : hide(text)]];
      }),
    ),
    // A delimiter in a password makes a part of it a surplus cell.
    ...(surplus === '' ? {} : { [SURPLUS_COLUMN]: secretColumns.length > 0 ? HIDDEN : hide(surplus) }),
  };
}
