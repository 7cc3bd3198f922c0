import { addressOf } from '../router.ts';

const STEPS = [
  { name: 'File', screen: 'file' },
  { name: 'Columns', screen: 'columns' },
  { name: 'Records', screen: 'records' },
  { name: 'Plan', screen: 'plan' },
] as const;

/** The steps of a work, with the one that is shown. */
export function WorkSteps({
  work,
  name,
  screen,
}: {
  readonly work: string;
  readonly name?: string | undefined;
  readonly screen: (typeof STEPS)[number]['screen'];
}) {
  return (
    <nav aria-label="Steps">
      <ol class="steps">
        {STEPS.map((step, n) => (
          <li key={step.screen}>
            <a
              href={addressOf('work', work, step.screen)}
              aria-current={step.screen === screen ? 'step' : undefined}
            >
              {n + 1} {step.name}
            </a>
          </li>
        ))}
        {name === undefined ? null : (
          <li class="work-name">
            <span dir="auto" title={name}>
              {name}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}
