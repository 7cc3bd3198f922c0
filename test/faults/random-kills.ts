import { type CaseResult, type KillCase, runCase } from './kill-case.ts';
import { randomFrom } from './products.ts';

/** Share of resumed processes that are killed too. */
const RESUMES_KILLED = 0.4;

export interface RandomKills {
  readonly runs: number;
  readonly seed: number;
  readonly records: number;
  readonly concurrency: number;
  readonly onEnd: (seed: number, result: CaseResult) => void;
}

/**
 * Imports that are killed at random moments, each with a seed of its own. The duration of an undisturbed import
 * is measured first. A kill comes at any moment of it, including start and reports.
 */
export async function randomKills({ runs, seed, records, concurrency, onEnd }: RandomKills): Promise<void> {
  const common = { records, concurrency, faults: ['latency=2ms', 'jitter=4ms'] };
  const whole = await runCase({ ...common, death: () => ({}) });
  if (whole.found.length > 0) throw new Error(`without any kill: ${whole.found.join('; ')}`);
  for (let n = 0; n < runs; n++) {
    const random = randomFrom(seed + n);
    const death: KillCase['death'] = (attempt) =>
      attempt === 0 || random() < RESUMES_KILLED ? { killAfterMs: random() * whole.ms } : {};
    onEnd(seed + n, await runCase({ ...common, death }));
  }
}
