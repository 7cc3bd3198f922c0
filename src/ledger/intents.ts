import type { KeptRow, Operation } from '../model/index.ts';
import { type PackedRows, packed, unpacked } from './rows.ts';

/** A record that is about to be sent. */
export interface Intent {
  readonly seq: number;
  readonly row: number;
  readonly key: string;
  readonly kind: Operation['kind'];
  readonly rows: readonly KeptRow[];
}

/** An intent as log and tables keep it. */
export type PackedIntent = readonly [
  seq: number,
  row: number,
  key: string,
  kind: Operation['kind'],
  rows: PackedRows,
];

export function packIntent({ seq, row, key, kind, rows }: Intent): PackedIntent {
  return [seq, row, key, kind, packed(rows)];
}

export function unpackIntent([seq, row, key, kind, rows]: PackedIntent): Intent {
  return { seq, row, key, kind, rows: unpacked(rows) };
}
