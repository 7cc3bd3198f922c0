import { type ComponentType, Component as PreactComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JobView, StartView } from '../ui/api/index.ts';
import { get } from './client.ts';
import { Failure, Loading, Screen } from './parts/frame.tsx';
import { addressOf, useRoute } from './router.ts';
import type { ScreenProps } from './screen-props.ts';
import { asFailure, useLoad } from './use-load.ts';

type LoadScreen = () => Promise<ComponentType<ScreenProps>>;

/** Screens by the beginning of their address. Each is loaded when it is first opened. `*` stands for any id. */
const SCREENS: readonly (readonly [string, LoadScreen])[] = [
  ['', async () => (await import('./screens/start.tsx')).StartScreen],
  ['work/*/columns', async () => (await import('./screens/columns.tsx')).ColumnsScreen],
  ['work/*/records', async () => (await import('./screens/records.tsx')).RecordsScreen],
  ['work/*/plan', async () => (await import('./screens/plan.tsx')).PlanScreen],
  ['runs', async () => (await import('./screens/runs.tsx')).RunsScreen],
  ['run/*', async () => (await import('./screens/run.tsx')).RunScreen],
  ['run/*/fix', async () => (await import('./screens/fix.tsx')).FixScreen],
  ['run/*/doubts', async () => (await import('./screens/doubts.tsx')).DoubtsScreen],
  ['exports', async () => (await import('./screens/exports.tsx')).ExportsScreen],
  ['job/*', async () => (await import('./screens/job.tsx')).JobScreen],
  ['work/*/file', async () => (await import('./screens/file.tsx')).FileScreen],
];

function screenFor(
  route: readonly string[],
): { readonly load: LoadScreen; readonly key: string } | undefined {
  const found = SCREENS.find(([pattern]) => {
    const parts = pattern === '' ? [] : pattern.split('/');
    return parts.length === route.length && parts.every((part, n) => part === '*' || part === route[n]);
  });
  return found && { load: found[1], key: route.join('/') };
}

export function App() {
  const route = useRoute();
  const { value, failure, reload } = useLoad<StartView>((signal) => get('/start', signal), []);
  const job = useCurrentJob(value?.job ?? null);
  return (
    <>
      <button type="button" class="spoken skip" onClick={skipToScreen}>
        Skip to the content
      </button>
      <TopBar route={route} job={job} />
      {value ? (
        <ShownScreen start={value} route={route} reloadStart={reload} />
      ) : failure ? (
        <Screen title="storeport cannot be reached">
          <Failure failure={failure} onRetry={reload} />
        </Screen>
      ) : (
        <main class="screen">
          <Loading doing="Connecting" />
        </main>
      )}
    </>
  );
}

/** How often to look for a job that another tab started, milliseconds. */
const LOOK_MS = 4000;

/** The job in progress, whoever started it; null if there is none. */
function useCurrentJob(known: JobView | null): JobView | null {
  const [job, setJob] = useState(known);
  useEffect(() => setJob(known), [known]);
  useEffect(() => {
    const timer = setInterval(() => {
      // A server that does not answer is reported by what the user does next.
      if (!document.hidden) get<JobView | null>('/jobs/current').then(setJob, () => {});
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return job;
}

function skipToScreen(): void {
  document.querySelector<HTMLElement>('main h1')?.focus();
}

const PLACES = [
  { name: 'Start', route: '' },
  { name: 'Runs', route: 'runs' },
  { name: 'Exports', route: 'exports' },
] as const;

function TopBar({ route, job }: { readonly route: readonly string[]; readonly job: JobView | null }) {
  const isRunning = job !== null && job.state !== 'ended';
  return (
    <header class="top">
      <a class="name" href={addressOf()}>
        storeport
      </a>
      <nav aria-label="Main">
        {PLACES.map((place) => (
          <a
            key={place.name}
            href={place.route === '' ? addressOf() : addressOf(place.route)}
            aria-current={(route[0] ?? '') === place.route ? 'page' : undefined}
          >
            {place.name}
          </a>
        ))}
      </nav>
      {isRunning ? (
        <a class="job" href={addressOf('job', job.id)}>
          {job.title} …
        </a>
      ) : null}
    </header>
  );
}

function ShownScreen(props: ScreenProps) {
  const { route } = props;
  const [shown, setShown] = useState<{ readonly key: string; readonly screen: ComponentType<ScreenProps> }>();
  const [failure, setFailure] = useState<ReturnType<typeof asFailure>>();
  const found = screenFor(route);
  const key = found?.key;
  useEffect(() => {
    setFailure(undefined);
    let isCurrent = true;
    found?.load().then(
      (screen) => isCurrent && setShown({ key: found.key, screen }),
      (error: unknown) => isCurrent && setFailure(asFailure(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  if (!found)
    return (
      <Screen title="There is no such page">
        <p>
          <a href={addressOf()}>Go to the start</a>
        </p>
      </Screen>
    );
  if (failure)
    return (
      <Screen title="The page cannot be shown">
        <Failure failure={failure} />
      </Screen>
    );
  if (!shown || shown.key !== key)
    return (
      <main class="screen">
        <Loading doing="Loading" />
      </main>
    );
  const { screen: Shown } = shown;
  return (
    <Guard key={key}>
      <Shown {...props} />
    </Guard>
  );
}

/** Shows a fault of the page instead of nothing. */
class Guard extends PreactComponent<object, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};
  static override getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Screen title="This is a fault of the page">
        <Failure
          failure={{
            message: error.message,
            hints: ['Nothing is lost: the server keeps your work. Reload the page.'],
          }}
        />
      </Screen>
    );
  }
}
