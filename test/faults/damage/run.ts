import { type DamageCase, type DamageResult, runDamageCase } from './case.ts';
import { printCase, printTable } from './table.ts';

export interface DamageRun {
  readonly count: number;
  readonly seed: number;
  /** Seed of the only case to run. */
  readonly only?: number | undefined;
  readonly undamaged: boolean;
  readonly keep: boolean;
  /** Number of cases to run at the same time. */
  readonly jobs: number;
}

/** Number of damaged homes for each undamaged one. */
const CONTROLS = 20;

/** Runs the cases, and prints those with a violation and a table. Returns whether there was no violation. */
export async function runDamages({ count, seed, only, undamaged, keep, jobs }: DamageRun): Promise<boolean> {
  const cases: DamageCase[] = [];
  if (only !== undefined) cases.push({ seed: only, undamaged, keep });
  else
    for (let n = 0; n < count; n++) {
      cases.push({ seed: seed + n, undamaged, keep });
      if (!undamaged && n % CONTROLS === 0) cases.push({ seed: seed + n, undamaged: true, keep });
    }
  const results: DamageResult[] = [];
  let broken = 0;
  const left = cases.values();
  const work = async () => {
    for (const each of left) {
      try {
        const result = await runDamageCase(each);
        results.push(result);
        if (isWrong(result) || only !== undefined) printCase(result);
      } catch (error) {
        broken += 1;
        console.log(`seed ${each.seed} could not be judged: ${(error as Error).stack}`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  printTable(results);
  return broken === 0 && !results.some(isWrong);
}

function isWrong({ verdict, undetectable, kind }: DamageResult): boolean {
  if (kind === 'nothing damaged') return verdict !== 'harmless';
  return undetectable === undefined && verdict !== 'refused' && verdict !== 'harmless';
}
