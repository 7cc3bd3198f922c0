import { ConfigError } from '../../model/index.ts';

/** A step, as far as its place depends on it. */
export interface ReferringStep {
  readonly resource: string;
  /** Resources among which its mapping looks things up. */
  readonly refersTo: readonly string[];
}

/** The order of steps that do not refer to each other. */
const USUAL_ORDER = ['suppliers', 'products', 'customers', 'discounts', 'orders'];

/**
 * Sorts steps, so that each comes after those that it refers to. References to its own resource, or to one without a step,
 * are to records of earlier runs. Throws ConfigError if steps refer to each other in a circle.
 */
export function orderedSteps<Step extends ReferringStep>(steps: readonly Step[]): Step[] {
  const left = [...steps].sort((a, b) => placeOf(a) - placeOf(b));
  const ordered: Step[] = [];
  while (left.length > 0) {
    const next = left.findIndex((step) => waitsFor(step, left).length === 0);
    if (next === -1) throw circle(left);
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

function placeOf({ resource }: ReferringStep): number {
  const place = USUAL_ORDER.indexOf(resource);
  return place === -1 ? USUAL_ORDER.length : place;
}

/** The steps among `others` that must come before this one. */
function waitsFor(step: ReferringStep, others: readonly ReferringStep[]): ReferringStep[] {
  return others.filter((other) => other !== step && step.refersTo.includes(other.resource));
}

function circle(left: readonly ReferringStep[]): ConfigError {
  const [first] = left;
  // Each step waits for another one, so the path returns to a step that is on it.
  const path: ReferringStep[] = [];
  for (let step = first; step !== undefined && !path.includes(step); ) {
    path.push(step);
    [step] = waitsFor(step, left);
  }
  const last = waitsFor(path.at(-1) as ReferringStep, left)[0] as ReferringStep;
  const names = [...path.slice(path.indexOf(last)), last].map(({ resource }) => resource);
  return new ConfigError(
    `The steps refer to each other in a circle: ${names.map((name) => `the ${name}`).join(' look things up among ')}.`,
    ['Remove a lookup from one of their mappings, or import one of them by itself first.'],
  );
}
