import type { FleetView, WorkerView } from '../../fleet/serve/api.ts';
import { CommandText } from '../parts/command.tsx';
import { Empty, Screen, WhenLoaded } from '../parts/frame.tsx';
import { Mark, type MarkLook } from '../parts/mark.tsx';
import { moment, plural, spanText } from '../text.ts';
import type { FleetScreenProps } from './fleet-props.ts';
import { useLive } from './use-live.ts';

const WORKER_LOOKS: Readonly<Record<WorkerView['state'], MarkLook>> = {
  working: 'good',
  draining: 'even',
  silent: 'attention',
};

export function WorkersScreen({ onSignedOut }: FleetScreenProps) {
  const loaded = useLive<FleetView>('/overview', [], onSignedOut);
  return (
    <Screen
      title="Who does the work?"
      tab="Workers"
      about="A worker that is silent for longer than a lease (30 s) loses its stores to the others."
    >
      <WhenLoaded loaded={loaded} doing="Reading the workers">
        {({ workers, leases }) =>
          workers.length === 0 ? (
            <Empty>
              <p>No worker is known.</p>
              <p>
                Start one: <code>storeport fleet worker --help</code> says how.
              </p>
            </Empty>
          ) : (
            <>
              <WorkerTable workers={workers} />
              <p class="small quiet">
                {plural(leases.takeovers, 'lease')} taken over from lost workers since the stores were added;{' '}
                {plural(leases.tasksThatLost, 'task')} in progress lost a worker.
              </p>
              {workers.some(({ state }) => state === 'silent') ? (
                <>
                  <p>
                    If the process or machine of a silent worker is gone for sure, say so. Its records in
                    doubt can then be settled at once.
                  </p>
                  {workers.flatMap(({ id, endedCommand }) =>
                    endedCommand === null ? [] : [<CommandText key={id} command={endedCommand} />],
                  )}
                </>
              ) : null}
            </>
          )
        }
      </WhenLoaded>
    </Screen>
  );
}

function WorkerTable({ workers }: { readonly workers: readonly WorkerView[] }) {
  return (
    <table class="runs workers">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Worker</th>
          <th scope="col">Last sign of life</th>
          <th scope="col">Stores</th>
          <th scope="col">Began</th>
          <th scope="col">Version</th>
        </tr>
      </thead>
      <tbody>
        {workers.map(({ id, host, version, slots, stores, startedAt, seenMs, state }) => (
          <tr key={id}>
            <td class="state">
              <Mark look={WORKER_LOOKS[state]} />
              {state}
            </td>
            <td class="file">
              <bdi>{id}</bdi>
              <span class="counts">
                on <bdi>{host}</bdi>
              </span>
            </td>
            <td data-label="Last sign of life">{spanText(seenMs)} ago</td>
            <td data-label="Stores">
              {stores.length} of {plural(slots, 'slot')}
              <span class="counts">{someOf(stores)}</span>
            </td>
            <td class="when" data-label="Began">
              {moment(startedAt)}
            </td>
            <td data-label="Version">{version}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NAMED = 5;

function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${plural(rest, 'other')}` : '');
}
