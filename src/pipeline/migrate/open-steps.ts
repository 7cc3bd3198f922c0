import type { Mapping } from '../../map/index.ts';
import { close, openInputs } from '../inputs/open-inputs.ts';
import type { MigrationStep } from './options.ts';
import { orderedSteps, type ReferringStep } from './order.ts';

/** A step with what its files and its mapping say. */
export interface OpenedStep extends ReferringStep {
  readonly step: MigrationStep;
  readonly mapping: Mapping;
  /** Its place in the order, from 1, and its resource: the name of its folder of reports. */
  readonly name: string;
}

/** Opens the files of each step to find its mapping, closes them, and sorts the steps. Throws ConfigError. */
export async function openSteps(steps: readonly MigrationStep[]): Promise<OpenedStep[]> {
  const opened: Omit<OpenedStep, 'name'>[] = [];
  for (const step of steps) {
    // Warnings are given when the files are opened to be read.
    const inputs = await openInputs({ ...step.options, onWarning: () => {} });
    await close(inputs);
    const { mapping } = inputs;
    const refersTo = mapping.lookups.flatMap((table) => ('from' in table ? [table.from] : []));
    opened.push({ step, mapping, resource: step.options.resource.name, refersTo });
  }
  return orderedSteps(opened).map((each, index) => ({ ...each, name: `${index + 1}-${each.resource}` }));
}
