import type { ComponentChildren } from 'preact';
import type { FleetView } from '../../fleet/serve/api.ts';
import { Mark, type MarkLook } from '../parts/mark.tsx';
import { counted, moment, plural, spanText } from '../text.ts';

/** The answer to "is all well?" in one sentence. */
export function fleetSentence({ tasks, doubts, workers }: FleetView): string {
  const needs = [
    ...(tasks.stopped > 0 ? [plural(tasks.stopped, 'stopped task')] : []),
    ...(doubts.records > 0 ? [`${plural(doubts.records, 'record')} in doubt`] : []),
  ];
  if (needs.length > 0)
    return `${needs.join(' and ')} ${tasks.stopped + doubts.records === 1 ? 'needs' : 'need'} you`;
  const isServed = workers.some(({ state }) => state !== 'silent');
  if (!isServed && tasks.queued + tasks.running > 0) return 'No worker is running, and work is waiting';
  if (tasks.running + tasks.queued === 0) return 'All is done';
  return `${plural(tasks.running, 'task')} running, ${counted(tasks.queued)} queued`;
}

/** Figures over all stores, each with its unit. */
export function FleetFiguresStrip({ view }: { readonly view: FleetView }) {
  const { oldestWaitMs, leases, rate, doubts, workers } = view;
  const silent = workers.filter(({ state }) => state === 'silent').length;
  const latest = doubts.stores
    .flatMap(({ until }) => (until === null ? [] : [until]))
    .sort()
    .at(-1);
  return (
    <>
      <dl class="figures">
        <Figure name="Longest wait" look={(oldestWaitMs ?? 0) > 900_000 ? 'attention' : undefined}>
          {oldestWaitMs === null ? 'nothing waits' : spanText(oldestWaitMs)}
        </Figure>
        <Figure name="Rate now">
          {counted(rate.recordsPerSecond)} records/s
          {rate.refusedPerSecond > 0 ? `, ${counted(rate.refusedPerSecond)} refused/s` : ''}
        </Figure>
        <Figure name="Workers" look={silent > 0 ? 'attention' : undefined}>
          {counted(workers.length - silent)} of {counted(workers.length)} alive
        </Figure>
        <Figure name="Leases held" look={leases.expired > 0 ? 'attention' : undefined}>
          {counted(leases.held)} of {plural(view.stores, 'store')}
          {leases.expired > 0 ? `, ${counted(leases.expired)} expired` : ''}
        </Figure>
        <Figure name="Taken over from lost workers">{plural(leases.takeovers, 'lease')}</Figure>
        <Figure name="In doubt" look={doubts.records > 0 ? 'doubt' : undefined}>
          {plural(doubts.records, 'record')}
          {doubts.stores.length > 0 ? ` in ${plural(doubts.stores.length, 'store')}` : ''}
        </Figure>
      </dl>
      {latest === undefined ? null : (
        <p class="small quiet">
          A lost worker may still send some of the records in doubt, at the latest until {moment(latest)}.
          Until then they are not sent again.
        </p>
      )}
    </>
  );
}

function Figure({
  name,
  look,
  children,
}: {
  readonly name: string;
  readonly look?: MarkLook | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {look === undefined ? null : <Mark look={look} />}
        {children}
      </dd>
    </div>
  );
}
