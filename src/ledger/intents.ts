import type { FieldDigests, KeptRow, Operation } from '../model/index.ts';
import { type PackedRows, packed, unpacked } from './rows.ts';

/** A record that is about to be sent. */
export interface Intent {
  readonly seq: number;
  readonly row: number;
  readonly key: string;
  readonly kind: Operation['kind'];
  readonly rows: readonly KeptRow[];
  /** Of what the store has once it is done. */
  readonly digests?: FieldDigests | undefined;
}

/** An intent as log and tables keep it. */
export type PackedIntent = readonly [
  seq: number,
  row: number,
  key: string,
  kind: Operation['kind'],
  rows: PackedRows,
  fields?: string,
  digests?: string,
];

export function packIntent({ seq, row, key, kind, rows, digests }: Intent): PackedIntent {
  if (!digests) return [seq, row, key, kind, packed(rows)];
  return [seq, row, key, kind, packed(rows), digests.fields, digests.digests];
}

export function unpackIntent([seq, row, key, kind, rows, fields, digests]: PackedIntent): Intent {
  const intent = { seq, row, key, kind, rows: unpacked(rows) };
  return fields === undefined || digests === undefined ? intent : { ...intent, digests: { fields, digests } };
}
