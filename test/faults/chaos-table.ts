import type { ChaosResult } from './chaos.ts';

export interface SeedResult {
  readonly seed: number;
  readonly result: ChaosResult;
}

/** A table with a column for each seed: how often each fault hit, and the outcomes of the records. */
export function printSeeds(results: readonly SeedResult[]): void {
  const row = (what: string, cellOf: (each: SeedResult) => string | number) =>
    console.log(`| ${[what, ...results.map(cellOf)].join(' | ')} |`);
  const counts = (part: 'faults' | 'outcomes') => {
    const names = new Set(results.flatMap(({ result }) => Object.keys(result[part])));
    for (const name of [...names].sort()) row(name, ({ result }) => result[part][name] ?? 0);
  };
  row('requests struck by', ({ seed }) => `seed ${seed}`);
  console.log(`|---|${'---|'.repeat(results.length)}`);
  counts('faults');
  row('**records**', () => '');
  counts('outcomes');
  row('**run**', () => '');
  row('stopped and resumed', ({ result }) => result.stops);
  row('seconds', ({ result }) => Math.round(result.ms / 1000));
  row('violations', ({ result }) => result.found.length);
}
