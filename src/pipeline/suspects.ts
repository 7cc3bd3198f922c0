import type { OpenSuspicion, SourceRecord, Suspicion, Table } from '../model/index.ts';
import type { Input } from './sources.ts';

/** Looks at the records that are taken for what is damaged in their rows, each in the file that it stands in. */
export function suspectsNoter(inputs: readonly Input[]): (records: readonly SourceRecord[]) => void {
  const byTable = new Map<Table, Input>(inputs.map((input) => [input.source.table, input]));
  return (records) => {
    for (const { seq, rows } of records)
      for (const row of rows) {
        const input = byTable.get(row.table);
        const suspects = input?.inspect(row) ?? [];
        if (suspects.length > 0) input?.suspicions.add(seq, row, suspects);
      }
  };
}

/** What is said of them. */
export function toldOf(suspicions: readonly OpenSuspicion[]): Suspicion[] {
  return suspicions.map(({ last: _, ...told }) => told);
}
