import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../../src/sandbox/journal.ts';
import { storeport } from './command.ts';
import { writeProducts } from './products.ts';
import { startStore } from './store.ts';

/** How the limit of a store was used, by its journal. */
export interface Used {
  readonly limit: number;
  readonly faults: readonly string[];
  /** Share of the limit that was admitted from the twelfth second on. */
  readonly used: number;
  /** Share of the requests since then that were refused. */
  readonly refused: number;
}

/** Time in which the client may search for the rate. */
const SETTLED_MS = 12_000;
const CONCURRENCY = '32';

/** An import of this duration into a store that admits `limit` requests a second and shows it only by refusals. */
export async function useLimit(limit: number, seconds: number, faults: readonly string[]): Promise<Used> {
  const times = await importing(limit * seconds, [`rate=${limit}`, ...faults]);
  const last = Math.max(...times.map(({ at }) => at)) - 500;
  const settled = times.filter(({ at }) => at >= SETTLED_MS && at < last);
  const refused = settled.filter(({ status }) => status === 429).length;
  const used = ((settled.length - refused) * 1000) / (last - SETTLED_MS) / limit;
  return { limit, faults, used, refused: refused / settled.length };
}

/** Admitted and refused requests in each second, while the limit is 100, 10 and 100 again, for `seconds` each. */
export async function followLimit(seconds: number): Promise<{ admitted: number[]; refused: number[] }> {
  const times = await importing(210 * seconds, ['rate=100'], async (limitTo) => {
    for (const limit of [10, 100]) {
      await sleep(seconds * 1000);
      await limitTo(limit);
    }
  });
  const counts = (isOne: (status: number | null) => boolean) => {
    const each = new Array<number>(3 * seconds).fill(0);
    for (const { at, status } of times) {
      const second = Math.floor(at / 1000);
      if (isOne(status) && second < each.length) each[second] = (each[second] ?? 0) + 1;
    }
    return each;
  };
  return { admitted: counts((status) => status !== 429), refused: counts((status) => status === 429) };
}

/** Imports a number of records; returns when creates arrived, in ms since the first. */
async function importing(
  records: number,
  faults: readonly string[],
  meanwhile?: (limitTo: (limit: number) => Promise<void>) => Promise<void>,
): Promise<Pick<JournalEntry, 'at' | 'status'>[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'storeport-limits-'));
  const store = await startStore(faults);
  try {
    writeProducts(join(cwd, 'in.csv'), records);
    const args = ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', CONCURRENCY];
    const ending = storeport(args, { cwd, environment: store.environment });
    await meanwhile?.((limit) => store.misbehave({ rate: String(limit) }));
    const ended = await ending;
    if (ended.code !== 0) throw new Error(`the import ended with ${ended.code}: ${ended.said}`);
    const { journal } = await store.facts();
    const creates = (journal as unknown as JournalEntry[]).filter(({ kind }) => kind === 'create');
    const first = creates[0]?.at ?? 0;
    return creates.map(({ at, status }) => ({ at: at - first, status }));
  } finally {
    store.stop();
    rmSync(cwd, { recursive: true });
  }
}
