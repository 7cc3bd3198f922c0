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

/** An intent in the form stored in the log and the tables. */
export type PackedIntent = readonly [
  seq: number,
  row: number,
  key: string,
  kind: Operation['kind'],
  rows: PackedRows,
  fields?: string,
  digests?: string,
  supersedes?: readonly RecordRef[],
  file?: string,
];

function packIntent({ seq, row, file, key, kind, rows, digests, supersedes }: Intent): PackedIntent {
  const { fields = '', digests: each = '' } = digests ?? {};
  if (file !== undefined) return [seq, row, key, kind, packed(rows), fields, each, supersedes ?? [], file];
  if (supersedes) return [seq, row, key, kind, packed(rows), fields, each, supersedes];
  if (!digests) return [seq, row, key, kind, packed(rows)];
  return [seq, row, key, kind, packed(rows), digests.fields, digests.digests];
}

/** An intent as the log has it: JSON. */
export function intentText(intent: Intent): string {
  return JSON.stringify(packIntent(intent));
}

export function encodeIntent(intent: Intent): Buffer {
  return Buffer.from(intentText(intent));
}

export function decodeIntent(bytes: Buffer): Intent {
  return unpackIntent(JSON.parse(bytes.toString()) as PackedIntent);
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

export function unpacked(rows: PackedRows): KeptRow[] {
  return rows.map(([row, cells, shared, damage]) => {
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
