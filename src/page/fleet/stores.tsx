import { useState } from 'preact/hooks';
import type { FleetStoreLine } from '../../fleet/serve/api.ts';
import { ShowCommand } from '../parts/command.tsx';
import { Empty, Screen, WhenLoaded } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { addressOf, choiceInAddress, keepInAddress } from '../router.ts';
import { counted, plural } from '../text.ts';
import type { FleetScreenProps } from './fleet-props.ts';
import { useLive } from './use-live.ts';

/** Rows that are shown at once: thousands of them make a page slow. */
const SHOWN = 200;

export function StoresScreen({ session, onSignedOut }: FleetScreenProps) {
  const loaded = useLive<readonly FleetStoreLine[]>('/stores', [], onSignedOut);
  const [text, setText] = useState(choiceInAddress('find') ?? '');
  const [shown, setShown] = useState(SHOWN);
  const find = (wanted: string) => {
    setText(wanted);
    setShown(SHOWN);
    keepInAddress('find', wanted || undefined);
  };
  return (
    <Screen title="Which stores have work, and which need you?" tab="Stores">
      <WhenLoaded loaded={loaded} doing="Reading the stores">
        {(stores) => {
          if (stores.length === 0)
            return (
              <Empty>
                <p>There is no store yet.</p>
                <p>
                  Add one on the command line: <code>storeport fleet store add --help</code> says how.
                </p>
              </Empty>
            );
          const found = stores.filter((store) => fits(store, text));
          return (
            <>
              <div class="row">
                <label class="field">
                  <span>Name, address or tag</span>
                  <input
                    type="search"
                    value={text}
                    onInput={({ currentTarget }) => find(currentTarget.value)}
                  />
                </label>
                <p class="small quiet" role="status">
                  {counted(found.length)} of {plural(stores.length, 'store')}
                </p>
              </div>
              <StoreTable stores={found.slice(0, shown)} />
              {found.length > shown ? (
                <button type="button" onClick={() => setShown(found.length)}>
                  Show all {counted(found.length)}
                </button>
              ) : null}
              {session.commands ? <ShowCommand command={session.commands.stores} /> : null}
            </>
          );
        }}
      </WhenLoaded>
    </Screen>
  );
}

function fits({ name, baseUrl, tags }: FleetStoreLine, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [name, baseUrl, ...tags, ...tags.map((tag) => `tag:${tag}`)].some((word) =>
    word.toLowerCase().includes(wanted),
  );
}

function StoreTable({ stores }: { readonly stores: readonly FleetStoreLine[] }) {
  return (
    <table class="runs stores">
      <thead>
        <tr>
          <th scope="col">Store</th>
          <th scope="col">Tasks</th>
          <th scope="col">Needs you</th>
          <th scope="col">Worker</th>
          <th scope="col">Shared limit</th>
          <th scope="col">Tags</th>
        </tr>
      </thead>
      <tbody>
        {stores.map((store) => (
          <StoreRow key={store.name} store={store} />
        ))}
      </tbody>
    </table>
  );
}

function StoreRow({ store }: { readonly store: FleetStoreLine }) {
  const { name, baseUrl, tags, shared, worker, queued, running } = store;
  return (
    <tr>
      <td class="file">
        <a href={`${addressOf()}?store=${encodeURIComponent(name)}`}>
          <bdi>{name}</bdi>
        </a>
        <span class="counts">{baseUrl}</span>
      </td>
      <td data-label="Tasks">
        {running + queued === 0
          ? 'none waits'
          : [running > 0 ? `${counted(running)} running` : '', queued > 0 ? `${counted(queued)} queued` : '']
              .filter((part) => part !== '')
              .join(', ')}
      </td>
      <td data-label="Needs you">
        <StoreNeeds store={store} />
      </td>
      <td data-label="Worker">
        {worker === null ? <span class="quiet">no worker</span> : <bdi>{worker}</bdi>}
      </td>
      <td data-label="Shared limit">
        {shared === null ? (
          <span class="quiet">none</span>
        ) : (
          <>
            <bdi>{shared.key}</bdi>
            {shared.perSecond === null ? ', no limit set' : `: ${shared.perSecond} requests/s`}
          </>
        )}
      </td>
      <td data-label="Tags">
        {tags.length === 0 ? <span class="quiet">no tags</span> : <bdi>{tags.join(', ')}</bdi>}
      </td>
    </tr>
  );
}

function StoreNeeds({ store: { stopped, doubts, isReviewed, name } }: { readonly store: FleetStoreLine }) {
  const link = (query: string) => `${addressOf()}?store=${encodeURIComponent(name)}&${query}`;
  if (stopped === 0 && doubts === 0 && isReviewed) return <span class="quiet">nothing</span>;
  return (
    <>
      {stopped > 0 ? (
        <div>
          <Mark look="attention" />
          <a href={link('state=stopped')}>{plural(stopped, 'stopped task')}</a>
        </div>
      ) : null}
      {doubts > 0 ? (
        <div>
          <Mark look="doubt" />
          <a href={link('doubts=1')}>{plural(doubts, 'record')} in doubt</a>
        </div>
      ) : null}
      {isReviewed ? null : (
        <div>
          <Mark look="wrong" />
          creates nothing: a backup was restored
        </div>
      )}
    </>
  );
}
