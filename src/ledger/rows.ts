import type { KeptRow } from '../model/index.ts';

/** Source rows as the ledger keeps them: `[[7, ["Mug", "12.50"]], …]`; with a 1 behind one that is in several records. */
export type PackedRows = readonly (readonly [row: number, cells: readonly string[], shared?: 1])[];

export function packed(rows: readonly KeptRow[]): PackedRows {
  return rows.map(({ row, cells, shared }) =>
    shared ? ([row, cells, 1] as const) : ([row, cells] as const),
  );
}

export function unpacked(rows: PackedRows): KeptRow[] {
  return rows.map(([row, cells, shared]) => (shared ? { row, cells, shared: true } : { row, cells }));
}

export function packRows(rows: readonly KeptRow[]): string {
  return JSON.stringify(packed(rows));
}

export function unpackRows(text: string): KeptRow[] {
  return unpacked(JSON.parse(text) as PackedRows);
}
