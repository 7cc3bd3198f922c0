import { stringify } from 'yaml';
import { cutText } from '../../model/index.ts';
import type { ShownIssue, ShownRecord } from '../../pipeline/index.ts';
import { cutToWidth, displayWidth } from './width.ts';

/** Narrower terminals show source and payload one below the other. */
const LEAST_COLUMNS = 90;

/**
 * Finished records as text: source cells on the left, the payload on the right, issues below. `columns`: width of the
 * terminal; undefined if the output is not a terminal.
 */
export function previewText(records: readonly ShownRecord[], columns: number | undefined): string {
  return records.map((record) => recordText(record, columns)).join('\n\n');
}

function recordText(record: ShownRecord, columns: number | undefined): string {
  const { key, source, payload, issues } = record;
  const title = `${key === '' ? 'A record without a key' : key}, ${rowsText(source.map(({ row }) => row))}`;
  const left = source.flatMap(({ row, cells }) => [
    ...(source.length > 1 ? [`row ${row}`] : []),
    ...Object.entries(cells).map(
      ([column, value]) => `${column}: ${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
    ),
  ]);
  const right =
    Object.keys(payload).length === 0
      ? ['(nothing)']
      : stringify(payload, { lineWidth: 0 }).trimEnd().split('\n');
  const body =
    columns !== undefined && columns >= LEAST_COLUMNS
      ? sideBySide(left, right, columns)
      : [...left.map((line) => `  ${line}`), '  becomes', ...right.map((line) => `    ${line}`)];
  return [title, ...body, ...issues.map(issueLine)].join('\n');
}

/** `row 2`, `rows 2 to 8`, `rows 2, 9, 12 and 4 more` */
function rowsText(rows: readonly number[]): string {
  const [first = 0] = rows;
  const last = rows.at(-1) ?? first;
  if (rows.length < 2) return `row ${first}`;
  if (last - first === rows.length - 1) return `rows ${first} to ${last}`;
  const others = rows.length > 5 ? ` and ${rows.length - 5} more` : '';
  return `rows ${rows.slice(0, 5).join(', ')}${others}`;
}

function sideBySide(left: readonly string[], right: readonly string[], columns: number): string[] {
  const width = Math.floor((columns - 5) / 2);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const text = cutToWidth(left[index] ?? '', width);
    const gap = ' '.repeat(width - displayWidth(text));
    return `  ${text}${gap} │ ${cutToWidth(right[index] ?? '', width)}`.trimEnd();
  });
}

function issueLine({ row, column, field, code, message }: ShownIssue): string {
  const place = [row === undefined ? undefined : `row ${row}`, column ?? field].filter(
    (each) => each !== undefined,
  );
  return `  ! ${place.join(', ')}${place.length > 0 ? ': ' : ''}${message} (${code})`;
}

/** A cell as one line. Descriptions of pages are cut. */
function oneLine(text: string): string {
  return cutText(text.slice(0, 10 * MOST_LETTERS).replaceAll(/\s*\n\s*/g, ' ⏎ '), MOST_LETTERS);
}

const MOST_LETTERS = 200;
