import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandOptions, type Ended, storeport } from './command.ts';
import { violations } from './oracle.ts';
import { environmentFor, type FaultPlan } from './plan.ts';
import { writeProducts } from './products.ts';
import { type Store, startStore } from './store.ts';

/** How one process is killed, or one of its threads ends; empty if neither is. */
export interface Death extends Pick<CommandOptions, 'under' | 'killAfterMs'> {
  readonly plan?: FaultPlan | undefined;
}

export interface KillCase {
  readonly records: number;
  readonly concurrency: number;
  /** Characters of each row besides; with many, a thread reads the file. Default: none. */
  readonly padding?: number;
  /** Faults of the sandbox, such as `latency=2ms`. */
  readonly faults: readonly string[];
  /** How the import (0) and its resumes are killed. */
  readonly death: (attempt: number) => Death;
}

export interface CaseResult {
  readonly kills: number;
  /** Runs that stopped since a thread ended. */
  readonly threadEnds: number;
  /** Kills of resumed runs, among them. */
  readonly killsOfResume: number;
  readonly inDoubt: number;
  readonly made: number;
  readonly ms: number;
  readonly found: readonly string[];
}

const MOST_KILLS = 50;

/**
 * One import in a new folder into a new store, killed and resumed until a process ends normally; then the same
 * file once more, which must create nothing. The journal of the store shows violations.
 */
export async function runCase({
  records,
  concurrency,
  padding,
  faults,
  death,
}: KillCase): Promise<CaseResult> {
  const cwd = mkdtempSync(join(tmpdir(), 'storeport-kills-'));
  const store = await startStore(faults);
  try {
    const wanted = writeProducts(join(cwd, 'in.csv'), records, 'ref', padding);
    const { environment } = store;
    const importing = ['import', 'products', 'in.csv', '--concurrency', String(concurrency), '--out'];
    const ending = (args: readonly string[], { plan, ...how }: Death) =>
      storeport(args, { cwd, environment: { ...environment, ...(plan && environmentFor(plan)) }, ...how });

    const startedAt = performance.now();
    let kills = 0;
    let killsOfResume = 0;
    let threadEnds = 0;
    let isResumed = false;
    let ended: Ended | undefined;
    while (ended === undefined) {
      const how = kills + threadEnds < MOST_KILLS ? death(kills + threadEnds) : {};
      const now = await ending(isResumed ? ['run', 'resume'] : [...importing, 'out'], how);
      if (now.code === null) {
        if (isResumed) killsOfResume++;
        kills++;
        isResumed = true;
      } else if (now.code === 3 && how.plan) {
        threadEnds++;
        isResumed = true;
      } else if (now.code === 2 && isResumed && now.said.includes('no runs')) isResumed = false;
      else ended = now;
    }
    const ms = performance.now() - startedAt;

    const found: string[] = [];
    if (ended.code !== 0 && ended.code !== 1) found.push(`it ended with ${ended.code}: ${ended.said.trim()}`);
    else found.push(...(await judged(store, wanted, join(cwd, 'out'), (kills + threadEnds) * concurrency)));
    const { references } = await store.facts();
    const again = await ending([...importing, 'again'], {});
    if (again.code !== 0 && again.code !== 1)
      found.push(`importing again ended with ${again.code}: ${again.said.trim()}`);
    const after = await store.facts();
    if (after.references.length !== references.length)
      found.push(`importing again made ${after.references.length - references.length} records`);
    return {
      ...{ kills, killsOfResume, threadEnds, found, ms },
      made: references.length,
      inDoubt: Number(/(\d+) in-doubt/.exec(ended.said)?.[1] ?? 0),
    };
  } finally {
    store.stop();
    rmSync(cwd, { recursive: true });
  }
}

async function judged(
  store: Store,
  wanted: readonly string[],
  out: string,
  mostInDoubt: number,
): Promise<string[]> {
  try {
    return violations(await store.facts(), { wanted, out, mostInDoubt });
  } catch (error) {
    return [`the reports cannot be read: ${(error as Error).message}`];
  }
}
