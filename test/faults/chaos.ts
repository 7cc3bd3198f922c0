import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { troubleOf } from './chaos-faults.ts';
import { chaosViolations } from './chaos-oracle.ts';
import { storeport } from './command.ts';
import { writeProducts } from './products.ts';
import { type Store, startStore } from './store.ts';

export interface ChaosCase {
  readonly seed: number;
  readonly records: number;
}

export interface ChaosResult {
  /** How often each fault hit, by the journal of the store. */
  readonly faults: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Times that the run stopped early for a good reason, and was resumed. */
  readonly stops: number;
  readonly ms: number;
  readonly found: readonly string[];
}

const CONCURRENCY = 16;
const MOST_STOPS = 20;

/** Timeout of requests that are never answered; far longer than an answer takes on a busy machine. */
const TIMEOUT = '2s';

/** Log of the client, to compare with the journal if they contradict each other. */
const LOG = ['--log-level', 'debug', '--log-file', 'storeport.log'];

/** One import into a store with all faults at once, resumed until it ends, and repeated without faults. */
export async function runChaos({ seed, records }: ChaosCase): Promise<ChaosResult> {
  const cwd = mkdtempSync(join(tmpdir(), 'storeport-chaos-'));
  const { faults, unseen } = troubleOf(seed, records, CONCURRENCY);
  const store = await startStore(faults);
  try {
    const wanted = writeProducts(join(cwd, 'in.csv'), records);
    const settings = ['--concurrency', String(CONCURRENCY), '--timeout', TIMEOUT, ...LOG];
    const run = (...args: string[]) =>
      storeport([...args, ...settings], { cwd, environment: store.environment });
    const importing = (out: string) => run('import', 'products', 'in.csv', '--out', out);
    const found: string[] = [];
    const startedAt = performance.now();

    let ended = await importing('out');
    let stops = 0;
    for (; ended.code === 3 && stops < MOST_STOPS; stops++) {
      const { reason = 'nothing', message } = summaryOf(cwd).stopped ?? {};
      if (reason !== 'store-unreachable') found.push(`it stopped because of ${reason}: ${message}`);
      ended = await run('run', 'resume');
    }
    const ms = performance.now() - startedAt;
    if (ended.code !== 1) found.push(`it ended with ${ended.code}: ${ended.said.trim()}`);
    const facts = await store.facts();
    found.push(
      ...chaosViolations(facts, {
        ...{ wanted, out: join(cwd, 'out'), unseen },
        ...{ concurrency: CONCURRENCY, executions: stops + 1 },
      }),
    );
    const { outcomes } = summaryOf(cwd);

    await store.misbehave({});
    await importing('again');
    found.push(...(await madeAgain(store, facts.references, outcomes.rejected ?? 0)));
    const struck: Record<string, number> = {};
    for (const { fault } of facts.journal) if (fault) struck[fault] = (struck[fault] ?? 0) + 1;
    if (found.length === 0) rmSync(cwd, { recursive: true });
    else {
      writeFileSync(
        join(cwd, 'journal.ndjson'),
        facts.journal.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
      );
      found.unshift(`what is left of it, with the journal of the store, is in ${cwd}`);
    }
    return { faults: struck, outcomes, stops, ms, found };
  } finally {
    store.stop();
  }
}

interface Summary {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly stopped?: { readonly reason: string; readonly message: string };
}

function summaryOf(cwd: string): Summary {
  return JSON.parse(readFileSync(join(cwd, 'out', 'summary.json'), 'utf8')) as Summary;
}

/** Importing the same file again creates the rejected records only: the others exist, or may exist. */
async function madeAgain(store: Store, before: readonly string[], rejected: number): Promise<string[]> {
  const { references } = await store.facts();
  const made = references.slice(before.length);
  const known = new Set(before);
  return [
    ...(made.length === rejected
      ? []
      : [`importing again made ${made.length}, not the ${rejected} rejected`]),
    ...made.filter((key) => known.has(key)).map((key) => `importing again made ${key} once more`),
  ];
}
