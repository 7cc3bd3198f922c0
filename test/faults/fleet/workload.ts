import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that are imported one after the other: each changes records of the one before, and has new ones. */
export interface Workload {
  /** Writes the next file; returns its path. */
  next(): string;
  /** Writes a file of all records as they were last; importing it must create nothing. */
  whole(): string;
  /** Number of records in a file. */
  recordsIn(file: string): number;
}

/** `records`: number of records in each file, half of them new in each file after the first. */
export function createWorkload(folder: string, records: number): Workload {
  const counts = new Map<string, number>();
  /** Price of each record as it was last written. */
  const prices = new Map<string, number>();
  let round = 0;
  let made = 0;

  function write(name: string, keys: readonly string[]): string {
    const file = join(folder, name);
    const lines = keys.map((key) => `Product ${key},${key},${prices.get(key)}`);
    writeFileSync(file, `name,reference,price.salePrice\n${lines.join('\n')}\n`);
    counts.set(file, keys.length);
    return file;
  }

  const keyOf = (n: number) => `ref-${n}`;

  return {
    next() {
      round++;
      const old = Math.min(made, Math.floor(records / 2));
      const keys = Array.from({ length: records }, (_, n) => keyOf(made - old + n));
      for (const key of keys) prices.set(key, round);
      made += records - old;
      return write(`round-${round}.csv`, keys);
    },
    whole: () => write('whole.csv', [...prices.keys()]),
    recordsIn: (file) => counts.get(file) ?? 0,
  };
}
