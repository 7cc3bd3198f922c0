import type { FieldDigests, KeptRow, Operation, RecordRef } from '../model/index.ts';
import { type PackedRows, packed, unpacked } from './rows.ts';

/** A record that is about to be sent. */
export interface Intent {
  readonly seq: number;
  readonly row: number;
  /** Where the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly kind: Operation['kind'];
  readonly rows: readonly KeptRow[];
  /** Of what the store has once it is done. */
  readonly digests?: FieldDigests | undefined;
  /** Records of earlier runs that come back in this one. */
  readonly comesFrom?: readonly RecordRef[] | undefined;
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
  comesFrom?: readonly RecordRef[],
  file?: string,
];

export function packIntent({ seq, row, file, key, kind, rows, digests, comesFrom }: Intent): PackedIntent {
  const { fields = '', digests: each = '' } = digests ?? {};
  if (file !== undefined) return [seq, row, key, kind, packed(rows), fields, each, comesFrom ?? [], file];
  if (comesFrom) return [seq, row, key, kind, packed(rows), fields, each, comesFrom];
  if (!digests) return [seq, row, key, kind, packed(rows)];
  return [seq, row, key, kind, packed(rows), digests.fields, digests.digests];
}

export function unpackIntent([
  seq,
  row,
  key,
  kind,
  rows,
  fields,
  digests,
  comesFrom,
  file,
]: PackedIntent): Intent {
  const intent = { seq, row, key, kind, rows: unpacked(rows) };
  return {
    ...intent,
    ...(fields && digests ? { digests: { fields, digests } } : {}),
    ...(comesFrom?.length ? { comesFrom } : {}),
    ...(file === undefined ? {} : { file }),
  };
}
