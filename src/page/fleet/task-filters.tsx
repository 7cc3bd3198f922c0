import type { FleetView, TaskWord } from '../../fleet/serve/api.ts';
import { counted, plural } from '../text.ts';
import { useTyped } from '../use-typed.ts';
import { STATE_ORDER } from './task-words.tsx';

/** Filters of the list, as the API names them. */
export interface Choices {
  readonly state?: TaskWord;
  readonly store?: string;
  readonly age?: string;
  readonly doubts?: '1';
}

const AGES: readonly (readonly [value: string, words: string])[] = [
  ['', 'Any time'],
  ['last-hour', 'In the last hour'],
  ['last-day', 'In the last 24 hours'],
  ['last-week', 'In the last 7 days'],
  ['older-hour', 'Over an hour ago'],
  ['older-day', 'Over 24 hours ago'],
];

export function TaskFilters({
  view: { tasks, doubts },
  choices: { state, store = '', age = '', doubts: inDoubt },
  onChoose,
}: {
  readonly view: FleetView;
  readonly choices: Choices;
  readonly onChoose: (name: keyof Choices, value: string | undefined) => void;
}) {
  const typed = useTyped<HTMLInputElement>(store, (text) => onChoose('store', text.trim() || undefined));
  const counts: Readonly<Record<TaskWord, string>> = {
    running: counted(tasks.running),
    queued: `${counted(tasks.queued)}${tasks.later > 0 ? ` (${counted(tasks.later)} for later)` : ''}`,
    stopped: counted(tasks.stopped),
    done: `${counted(tasks.doneOfDay)} in 24 hours`,
  };
  return (
    <section class="row task-filters" aria-label="Filters">
      <fieldset class="facet-row">
        <legend class="spoken">State</legend>
        <button type="button" aria-pressed={state === undefined} onClick={() => onChoose('state', undefined)}>
          All states
        </button>
        {STATE_ORDER.map((word) => (
          <button
            key={word}
            type="button"
            aria-pressed={state === word}
            onClick={() => onChoose('state', state === word ? undefined : word)}
          >
            <b>
              {word[0]?.toUpperCase()}
              {word.slice(1)}
            </b>{' '}
            {counts[word]}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={inDoubt !== undefined}
          onClick={() => onChoose('doubts', inDoubt === undefined ? '1' : undefined)}
        >
          <b>In doubt</b> {plural(doubts.records, 'record')}
        </button>
      </fieldset>
      <label class="field">
        <span>Store, or tag:NAME</span>
        <input type="search" {...typed} />
      </label>
      <label class="field">
        <span>Added</span>
        <select
          value={age}
          onChange={({ currentTarget }) => onChoose('age', currentTarget.value || undefined)}
        >
          {AGES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}
