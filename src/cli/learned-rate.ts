import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an earlier command found out of a store's limit, in requests a second. A hint: what cannot be read is not there. */
export function readLearnedRate(home: string, store: string): number | undefined {
  try {
    const { rate } = JSON.parse(readFileSync(fileFor(home, store), 'utf8')) as { rate?: unknown };
    return typeof rate === 'number' && Number.isFinite(rate) && rate > 0 ? rate : undefined;
  } catch {
    return undefined;
  }
}

/** Throws what the system says. */
export function keepLearnedRate(home: string, store: string, rate: number): void {
  const file = fileFor(home, store);
  mkdirSync(home, { recursive: true });
  // By way of another name, since several commands may end at once.
  const part = `${file}.${process.pid}`;
  const text = JSON.stringify({ store, rate: Number(rate.toPrecision(3)), at: new Date().toISOString() });
  writeFileSync(part, `${text}\n`);
  renameSync(part, file);
}

/** Throws what the system says. */
export function forgetLearnedRate(home: string, store: string): void {
  rmSync(fileFor(home, store), { force: true });
}

function fileFor(home: string, store: string): string {
  return join(home, `rate-${createHash('sha256').update(store).digest('hex').slice(0, 16)}.json`);
}
