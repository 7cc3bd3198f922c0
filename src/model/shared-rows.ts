import type { KeptRow } from './run.ts';

/**
 * Returns a test for one output file: false for a row that is in several records and was written before. Such a row is then
 * corrected in one place, and is no second row of its name when the file is imported. Remembers only shared rows.
 */
export function firstOfShared(): (row: KeptRow) => boolean {
  const seen = new Set<string>();
  return ({ row, cells, shared }) => {
    if (!shared) return true;
    // The number alone does not identify a row where the run reads several files.
    const mark = JSON.stringify([row, cells]);
    if (seen.has(mark)) return false;
    seen.add(mark);
    return true;
  };
}
