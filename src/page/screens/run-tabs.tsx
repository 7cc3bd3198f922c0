import { addressOf } from '../router.ts';
import { counted } from '../text.ts';

/** A run, its rows to correct, and its records in doubt. */
export function RunTabs({
  run,
  screen,
  returned,
  inDoubt,
}: {
  readonly run: string;
  readonly screen: 'fix' | 'doubts';
  readonly returned: number | undefined;
  readonly inDoubt: number | undefined;
}) {
  const withCount = (words: string, count: number | undefined) =>
    count === undefined ? words : `${words} (${counted(count)})`;
  const tabs = [
    { name: 'Run', parts: ['run', run], is: false },
    { name: withCount('Rows to correct', returned), parts: ['run', run, 'fix'], is: screen === 'fix' },
    { name: withCount('In doubt', inDoubt), parts: ['run', run, 'doubts'], is: screen === 'doubts' },
  ];
  return (
    <nav aria-label="Parts of the run">
      <ul class="steps">
        {tabs.map(({ name, parts, is }) => (
          <li key={parts.at(-1)}>
            <a href={addressOf(...parts)} aria-current={is ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
