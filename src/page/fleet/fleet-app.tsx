import type { ComponentType } from 'preact';
import { useCallback } from 'preact/hooks';
import type { SessionView } from '../../fleet/serve/api.ts';
import { get, request } from '../client.ts';
import { Failure, Loading, Screen } from '../parts/frame.tsx';
import { addressOf, useRoute } from '../router.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import type { FleetScreenProps } from './fleet-props.ts';
import { SchedulesScreen } from './schedules.tsx';
import { SignInScreen } from './sign-in.tsx';
import { StoresScreen } from './stores.tsx';
import { TaskScreen } from './task.tsx';
import { TaskDoubtsScreen } from './task-doubts.tsx';
import { TasksScreen } from './tasks.tsx';
import { WorkersScreen } from './workers.tsx';

/** Screens by their address. `*` stands for any id. */
const FLEET_SCREENS: readonly (readonly [string, ComponentType<FleetScreenProps>])[] = [
  ['', TasksScreen],
  ['task/*', TaskScreen],
  ['task/*/doubts', TaskDoubtsScreen],
  ['stores', StoresScreen],
  ['workers', WorkersScreen],
  ['schedules', SchedulesScreen],
];

function screenAt(route: readonly string[]): ComponentType<FleetScreenProps> | undefined {
  const fits = (pattern: string) => {
    const parts = pattern === '' ? [] : pattern.split('/');
    return parts.length === route.length && parts.every((part, n) => part === '*' || part === route[n]);
  };
  return FLEET_SCREENS.find(([pattern]) => fits(pattern))?.[1];
}

const PLACES = [
  { name: 'Tasks', route: '' },
  { name: 'Stores', route: 'stores' },
  { name: 'Workers', route: 'workers' },
  { name: 'Schedules', route: 'schedules' },
] as const;

export function FleetApp() {
  const route = useRoute();
  const {
    value: session,
    failure,
    reload,
    replace,
  } = useLoad<SessionView>((signal) => get('/session', signal), []);
  const onSignedOut = useCallback(() => reload(), [reload]);
  return (
    <>
      <button type="button" class="spoken skip" onClick={skipToContent}>
        Skip to the content
      </button>
      <FleetBar route={route} session={session} onSignedOut={onSignedOut} />
      {session === undefined ? (
        failure ? (
          <Screen title="The fleet cannot be reached">
            <Failure failure={failure} onRetry={reload} />
          </Screen>
        ) : (
          <main class="screen">
            <Loading doing="Connecting" />
          </main>
        )
      ) : session.role === null ? (
        <SignInScreen session={session} onSignedIn={replace} />
      ) : (
        <FleetScreen session={session} route={route} onSignedOut={onSignedOut} />
      )}
    </>
  );
}

function skipToContent(): void {
  document.querySelector<HTMLElement>('main h1')?.focus();
}

function FleetScreen(props: FleetScreenProps) {
  const Shown = screenAt(props.route);
  if (!Shown)
    return (
      <Screen title="There is no such page">
        <p>
          <a href={addressOf()}>Go to the tasks</a>
        </p>
      </Screen>
    );
  return <Shown key={props.route.join('/')} {...props} />;
}

function FleetBar({
  route,
  session,
  onSignedOut,
}: {
  readonly route: readonly string[];
  readonly session: SessionView | undefined;
  readonly onSignedOut: () => void;
}) {
  const { run, isBusy } = useAction();
  const role = session?.role ?? null;
  const here = route[0] === 'task' ? '' : (route[0] ?? '');
  return (
    <header class="top fleet-top">
      <a class="name" href={addressOf()}>
        storeport fleet
      </a>
      {role === null ? null : (
        <>
          <nav aria-label="Main">
            {PLACES.map((place) => (
              <a
                key={place.name}
                href={place.route === '' ? addressOf() : addressOf(place.route)}
                aria-current={here === place.route ? 'page' : undefined}
              >
                {place.name}
              </a>
            ))}
          </nav>
          <span class="session">
            <span class="small quiet">{role === 'operator' ? 'Operator' : 'Viewer: looking only'}</span>
            <button
              type="button"
              class="plain"
              disabled={isBusy}
              onClick={() => run(() => request('DELETE', '/session').then(onSignedOut))}
            >
              Sign out
            </button>
          </span>
        </>
      )}
    </header>
  );
}
