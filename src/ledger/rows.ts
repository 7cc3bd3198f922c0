import type { KeptRow } from '../model/index.ts';

/**
 * Source rows as the ledger keeps them: `[[7, ["Mug", "12.50"]], …]`; with a 1 behind one that is in several records, else a 0
 * where the code of its damage follows.
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
