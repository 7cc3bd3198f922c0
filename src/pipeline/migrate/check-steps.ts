import { join } from 'node:path';
import type { Summary } from '../../report/index.ts';
import { runValidate } from '../import/validate.ts';
import type { OpenedStep } from './open-steps.ts';
import type { MigrationOptions } from './options.ts';
import { createPlannedKeys } from './planned-keys.ts';

/**
 * Checks the steps that are to be imported, in their order, as imports that send nothing. References are looked up among
 * what the ledger knows and what the steps before will create. Ends early if a check does.
 */
export async function checkSteps(
  steps: readonly OpenedStep[],
  out: string,
  { store, isNewStore, hear }: MigrationOptions,
): Promise<Summary[]> {
  const keys = createPlannedKeys(store !== undefined || isNewStore);
  const referred = new Set(steps.flatMap(({ refersTo }) => refersTo));
  const checks: Summary[] = [];
  for (const { step, resource, name } of steps) {
    const watch = hear.watcher('check', resource);
    const { recordSettled } = watch;
    const note = keys.begin(resource, step.options.files);
    const options = {
      ...step.options,
      out: join(out, name),
      watch: {
        ...watch,
        recordSettled(result: Parameters<typeof note>[0]) {
          // Keys cost memory, and no step looks up most orders.
          if (referred.has(resource)) note(result);
          recordSettled?.(result);
        },
      },
    };
    const summary = await runValidate(options, store, keys.referencesOf(resource));
    checks.push(summary);
    hear.ended('check', summary);
    if (summary.stopped) break;
  }
  return checks;
}
