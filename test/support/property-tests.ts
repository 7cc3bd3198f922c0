import fc, { type RunDetails } from 'fast-check';

/** Sets the seed and the share of the cases: `seed=7,cases=100%`, or one of the two. */
const VARIABLE = 'STOREPORT_PROPERTY_TESTS';

/** How property tests run. */
export interface PropertySettings {
  readonly seed: number;
  /** Share of the cases that a test names: 1 is all of them. */
  readonly cases: number;
}

/** Settings of an environment. CI tests every case, other machines a quarter. Throws an Error if the variable is invalid. */
export function propertySettings(environment: NodeJS.ProcessEnv): PropertySettings {
  const given = environment[VARIABLE] ?? '';
  const parts = /^(?:seed=(-?\d{1,10}))?,?(?:cases=(\d+)%)?$/.exec(given);
  if (!parts) throw new Error(`${VARIABLE} is "${given}". Write it like seed=7,cases=100%`);
  const [, seed = '1', percent = environment.CI ? '100' : '25'] = parts;
  return { seed: Number(seed), cases: Number(percent) / 100 };
}

const settings = propertySettings(process.env);

/** The setting that repeats a run. */
export function repeating({ seed, cases }: PropertySettings): string {
  return `${VARIABLE}=seed=${seed},cases=${Math.round(100 * cases)}%`;
}

/** Cases to run of a test that has this number of them, at least one. */
export function scaledRuns(count: number): number {
  return Math.max(1, Math.round(count * settings.cases));
}

function report(details: RunDetails<unknown>): void {
  if (!details.failed) return;
  throw new Error(`${fc.defaultReportMessage(details)}\n\nRepeat it with ${repeating(settings)}`, {
    cause: details.errorInstance,
  });
}

fc.configureGlobal({ seed: settings.seed, numRuns: scaledRuns(100), reporter: report });

/** Prints, once before all tests, how to repeat the run. */
export default function setup(): void {
  const all = settings.cases === 1 ? '' : ` All cases, as in CI: ${repeating({ ...settings, cases: 1 })}`;
  console.log(
    `Property tests run ${Math.round(100 * settings.cases)}% of their cases; to repeat them: ${repeating(settings)}.${all}`,
  );
}
