import type { DoubtsView } from '../../ui/api/index.ts';
import { addressOf } from '../router.ts';
import { plural } from '../text.ts';
import { Notice } from './frame.tsx';

/** Names the runs whose records waited for an answer. `screen`: the one that shows a run. */
export function ReleasedRuns({
  released = [],
  screen,
}: {
  readonly released: DoubtsView['released'] | undefined;
  readonly screen: 'run' | 'task';
}) {
  return released.map(({ run, records }) => (
    <Notice key={run} look="attention">
      <p>
        {plural(records, 'record')} of a later import waited for this, and can be sent now by a retry.{' '}
        <a href={addressOf(screen, run)}>Open it</a>
      </p>
    </Notice>
  ));
}
