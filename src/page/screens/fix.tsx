import { useCallback, useState } from 'preact/hooks';
import type { FixRowsView, RunView } from '../../ui/api/index.ts';
import { get } from '../client.ts';
import { Empty, Failure, Screen, WhenLoaded } from '../parts/frame.tsx';
import { addressOf } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { useLoad } from '../use-load.ts';
import { FixGrid } from './fix-grid.tsx';
import { RunTabs } from './run-tabs.tsx';
import { useSendFixes } from './use-send-fixes.tsx';
import './fix.css';

/** The rows that did not arrive, in a grid: correct them, check them, send them again. */
export function FixScreen({ route: [, id = ''], start, reloadStart }: ScreenProps) {
  const loaded = useLoad<RunView>((signal) => get(`/runs/${id}`, signal), [id]);
  const first = useLoad<FixRowsView>((signal) => get(`/runs/${id}/rows?count=1`, signal), [id]);
  const run = loaded.value;
  const view = first.value;
  const { replace } = first;
  const onView = useCallback(
    (change: (before: FixRowsView) => FixRowsView) => view && replace(change(view)),
    [view, replace],
  );
  const [isSaving, setSaving] = useState(false);
  const corrected = view?.corrected ?? 0;
  const [checks, setChecks] = useState(0);
  const { buttons, result } = useSendFixes({
    ...{ run, corrected, isSaving, start, reloadStart },
    onChecked: useCallback(() => setChecks((before) => before + 1), []),
  });
  return (
    <Screen
      title="Which rows need a correction?"
      about={run?.sentence}
      steps={<RunTabs run={id} screen="fix" returned={view?.total} inDoubt={run?.inDoubt} />}
      next={view !== undefined && view.total > 0 ? buttons : undefined}
    >
      {loaded.failure ? <Failure failure={loaded.failure} onRetry={loaded.reload} /> : null}
      {result}
      <WhenLoaded loaded={first} doing="Collecting the rows">
        {(shown) =>
          shown.total === 0 && shown.causes.length === 0 ? (
            <Empty>
              <p>No row needs a correction: all rows of this run arrived, or are in doubt.</p>
              <p>
                <a href={addressOf('run', id)}>Open the run</a>
              </p>
            </Empty>
          ) : (
            <FixGrid
              run={id}
              view={shown}
              checks={checks}
              onView={onView}
              onElsewhere={first.reload}
              onSaving={setSaving}
            />
          )
        }
      </WhenLoaded>
    </Screen>
  );
}
