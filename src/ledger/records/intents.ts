import type { FieldDigests, IssueKind, KeptRow, Operation, RecordRef } from '../../model/index.ts';

/** A record that is about to be sent. */
export interface Intent {
  readonly seq: number;
  readonly row: number;
  /** Set if the run has several files. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly kind: Operation['kind'];
  readonly rows: readonly KeptRow[];
  /** Digests of the fields that the store will have once the request is done. */
  readonly digests?: FieldDigests | undefined;
  /** Records of earlier runs that this record replaces. */
  readonly supersedes?: readonly RecordRef[] | undefined;
}

export const NEWLINE = 0x0a;

/** The parts that an intent may have beside those of every one. */
type Further = readonly [fields?: string, digests?: string, supersedes?: readonly RecordRef[], file?: string];

/** An intent in the form stored in the tables. From the log, its rows are JSON: few are needed, and parsing takes time. */
export type PackedIntent = readonly [
  seq: number,
  row: number,
  key: string,
  kind: Operation['kind'],
  rows: PackedRows | Buffer,
  ...Further,
];

/**
 * The first of two lines of JSON that an intent has in the log; the second has its rows. Kind and key are one string, as
 * `create MUG-1`: V8 keeps each string of up to ten characters that JSON.parse finds, until it collects all garbage.
 */
type IntentHead = readonly [seq: number, row: number, kindAndKey: string, ...Further];

function headOf({ seq, row, file, key, kind, digests, supersedes }: Intent): IntentHead {
  const { fields = '', digests: each = '' } = digests ?? {};
  const kindAndKey = `${kind} ${key}`;
  if (file !== undefined) return [seq, row, kindAndKey, fields, each, supersedes ?? [], file];
  if (supersedes) return [seq, row, kindAndKey, fields, each, supersedes];
  if (!digests) return [seq, row, kindAndKey];
  return [seq, row, kindAndKey, fields, each];
}

/** An intent as the log has it: two lines. */
export function intentText(intent: Intent): string {
  return `${JSON.stringify(headOf(intent))}\n${packRows(intent.rows)}\n`;
}

export function encodeIntent(intent: Intent): Buffer {
  return Buffer.from(intentText(intent));
}

export function decodeIntent(bytes: Buffer): Intent {
  return unpackIntent(intentAt(bytes, 0).intent);
}

/** Reads the intent whose lines begin at `start`, and tells where they end. */
export function intentAt(
  text: Buffer,
  start: number,
): { readonly intent: PackedIntent; readonly end: number } {
  const rowsAt = text.indexOf(NEWLINE, start) + 1;
  const end = text.indexOf(NEWLINE, rowsAt) + 1;
  const [seq, row, kindAndKey, ...further] = JSON.parse(text.toString('utf8', start, rowsAt)) as IntentHead;
  const space = kindAndKey.indexOf(' ');
  const kind = kindAndKey.slice(0, space) as Operation['kind'];
  const key = kindAndKey.slice(space + 1);
  return { intent: [seq, row, key, kind, text.subarray(rowsAt, end), ...further], end };
}

/** The JSON of an intent for the tables. Rows that are JSON are not parsed. */
export function packedText([seq, row, key, kind, rows, ...further]: PackedIntent): string {
  const parts = [JSON.stringify([seq, row, key, kind]).slice(1, -1)];
  parts.push(Buffer.isBuffer(rows) ? rows.toString() : JSON.stringify(rows));
  if (further.length > 0) parts.push(JSON.stringify(further).slice(1, -1));
  return `[${parts.join()}]`;
}

function parsed(rows: PackedRows | Buffer): PackedRows {
  return Buffer.isBuffer(rows) ? (JSON.parse(rows.toString()) as PackedRows) : rows;
}

export function unpackIntent(packedIntent: PackedIntent): Intent {
  const [seq, row, key, kind, rows, , , supersedes, file] = packedIntent;
  const digests = digestsOf(packedIntent);
  return {
    ...{ seq, row, key, kind, rows: unpacked(rows) },
    ...(digests ? { digests } : {}),
    ...(supersedes?.length ? { supersedes } : {}),
    ...(file === undefined ? {} : { file }),
  };
}

export function digestsOf([, , , , , fields, digests]: PackedIntent): FieldDigests | undefined {
  return fields && digests ? { fields, digests } : undefined;
}

/**
 * Source rows in their stored form: `[[7, ["Mug", "12.50"]], …]`. Then 1 if the row is in several records, else 0 or
 * nothing; then the code of its damage, if any.
 */
export type PackedRows = readonly (readonly [
  row: number,
  cells: readonly string[],
  shared?: 0 | 1,
  damage?: string,
])[];

export function packed(rows: readonly KeptRow[]): PackedRows {
  return rows.map(({ row, cells, shared, damage }) => {
    if (damage !== undefined) return [row, cells, shared ? 1 : 0, damage] as const;
    return shared ? ([row, cells, 1] as const) : ([row, cells] as const);
  });
}

export function unpacked(rows: PackedRows | Buffer): KeptRow[] {
  return parsed(rows).map(([row, cells, shared, damage]) => {
    const kept: KeptRow = shared ? { row, cells, shared: true } : { row, cells };
    return damage === undefined ? kept : { ...kept, damage };
  });
}

export function packRows(rows: readonly KeptRow[]): string {
  return JSON.stringify(packed(rows));
}

export function unpackRows(text: string): KeptRow[] {
  return unpacked(JSON.parse(text) as PackedRows);
}

/**
 * Kinds of issues in their stored form: `[["required", "name", 1, "row 7: name is missing"], …]`. Then the cells that the
 * message does not name, if any: `[[8, "Price"], …]`.
 */
type PackedKinds = readonly (readonly [
  code: string,
  field: string | null,
  count: number,
  example: string,
  cells?: IssueKind['cells'],
])[];

export function packKinds(kinds: readonly IssueKind[]): string {
  const packedKinds: PackedKinds = kinds.map(({ code, field = null, count, example, cells }) =>
    cells === undefined ? [code, field, count, example] : [code, field, count, example, cells],
  );
  return JSON.stringify(packedKinds);
}

export function unpackKinds(text: string): IssueKind[] {
  return (JSON.parse(text) as PackedKinds).map(([code, field, count, example, cells]) => ({
    ...{ code, count, example },
    ...(field === null ? {} : { field }),
    ...(cells === undefined ? {} : { cells }),
  }));
}
