import type { ImportChoice, StartView, StoreView } from '../../ui/api/index.ts';
import { counted } from '../text.ts';
import { NumberField } from './number-field.tsx';

const CANARY = 5;

interface ImportOptionsProps {
  readonly start: StartView;
  /** Id of the store. */
  readonly store: string;
  readonly onStore: (store: string) => void;
  readonly choice: ImportChoice;
  readonly onChoice: (choice: ImportChoice) => void;
}

/** Where to send, and how carefully. */
export function ImportOptionsPanel({ start, store, onStore, choice, onChoice }: ImportOptionsProps) {
  const set = (part: { readonly [Name in keyof ImportChoice]: ImportChoice[Name] | undefined }) => {
    const next = Object.entries({ ...choice, ...part }).filter(([, value]) => value !== undefined);
    onChoice(Object.fromEntries(next) as ImportChoice);
  };
  return (
    <section class="panel options" aria-label="Where to send">
      <fieldset class="stores">
        <legend>Store</legend>
        {start.stores.map((each) => (
          <StoreChoice key={each.id} store={each} isChosen={each.id === store} onChoose={onStore} />
        ))}
      </fieldset>
      <label class="field">
        <input
          type="checkbox"
          checked={choice.canary !== undefined}
          onChange={({ currentTarget }) => set({ canary: currentTarget.checked ? CANARY : undefined })}
        />
        Send a few first, and ask before the rest
      </label>
      {choice.canary === undefined ? null : (
        <NumberField
          label="Records to send first"
          value={choice.canary}
          canBeEmpty={false}
          onValue={(canary) => set({ canary })}
        />
      )}
      <details>
        <summary>More</summary>
        <label class="field">
          <span>Records that are in the store already</span>
          <select
            value={choice.mode ?? ''}
            onChange={({ currentTarget: { value } }) =>
              set({ mode: value === '' ? undefined : (value as 'create' | 'update') })
            }
          >
            <option value="">are updated</option>
            <option value="create">are left alone: only create</option>
            <option value="update">are updated, and no others are created</option>
          </select>
        </label>
        <NumberField
          label="Only the first records"
          value={choice.limit}
          placeholder="all"
          onValue={(limit) => set({ limit })}
        />
        <NumberField
          label="Requests a second at most"
          value={choice.rate}
          placeholder="what the store takes"
          onValue={(rate) => set({ rate })}
        />
      </details>
    </section>
  );
}

function StoreChoice({
  store: { id, title, address, problem, rate },
  isChosen,
  onChoose,
}: {
  readonly store: StoreView;
  readonly isChosen: boolean;
  readonly onChoose: (store: string) => void;
}) {
  return (
    <label class="store">
      <input
        type="radio"
        name="store"
        value={id}
        checked={isChosen}
        disabled={problem !== undefined}
        onChange={() => onChoose(id)}
      />
      <span>
        <b>{title}</b>
        <span class="small quiet">
          {problem ??
            (address === null
              ? 'For trying things out: takes everything like a store, and is gone when the run ends.'
              : `${address}${rate === undefined ? '' : `, took ${counted(rate)} requests a second before`}`)}
        </span>
      </span>
    </label>
  );
}
