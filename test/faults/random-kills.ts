import { type CaseResult, type KillCase, runCase } from './kill-case.ts';
import type { FaultPlan } from './plan.ts';
import { randomFrom } from './products.ts';

/** Share of resumed processes that are killed too. */
const RESUMES_KILLED = 0.4;

export interface RandomKills {
  readonly runs: number;
  readonly seed: number;
  readonly records: number;
  readonly concurrency: number;
  /** Characters of each row besides. */
  readonly padding: number;
  readonly onEnd: (seed: number, result: CaseResult) => void;
}

/**
 * Imports that are killed at random moments, each with a seed of its own. The duration of an undisturbed import
 * is measured first. A kill comes at any moment of it, including start and reports.
 */
export async function randomKills({ runs, seed, onEnd, ...given }: RandomKills): Promise<void> {
  const common = { ...given, faults: ['latency=2ms', 'jitter=4ms'] };
  const whole = await runCase({ ...common, death: () => ({}) });
  if (whole.found.length > 0) throw new Error(`without any kill: ${whole.found.join('; ')}`);
  for (let n = 0; n < runs; n++) {
    const random = randomFrom(seed + n);
    const death: KillCase['death'] = (attempt) =>
      attempt === 0 || random() < RESUMES_KILLED ? { killAfterMs: random() * whole.ms } : {};
    onEnd(seed + n, await runCase({ ...common, death }));
  }
}

/** A thread beside the main one, and about as many of its moments as an import of some thousand records has. */
const THREADS: readonly (readonly [NonNullable<FaultPlan['thread']>, number])[] = [
  ['reader', 200],
  ['fold', 400],
];

/**
 * Imports in which a thread ends by itself at a random moment, each with a seed of its own; some of the processes that
 * resume them are killed, or lose a thread too.
 */
export async function randomThreadEnds({ runs, seed, onEnd, ...given }: RandomKills): Promise<void> {
  const common = { ...given, faults: ['latency=2ms', 'jitter=4ms'] };
  for (let n = 0; n < runs; n++) {
    const random = randomFrom(seed + n);
    const death: KillCase['death'] = (attempt) => {
      if (attempt > 0 && random() > RESUMES_KILLED) return {};
      if (attempt > 0 && random() < 0.5) return { killAfterMs: random() * 2000 };
      const [thread, moments] = THREADS[Math.floor(random() * THREADS.length)] ?? THREADS[0]!;
      return { plan: { thread, endAt: 1 + Math.floor(random() * moments) } };
    };
    onEnd(seed + n, await runCase({ ...common, death }));
  }
}
