import type { ScheduleLine } from '../../fleet/serve/api.ts';
import { ShowCommand } from '../parts/command.tsx';
import { Empty, Screen, WhenLoaded } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { counted, moment, spanText } from '../text.ts';
import type { FleetScreenProps } from './fleet-props.ts';
import { STATE_ORDER, workWords } from './task-words.tsx';
import { useLive } from './use-live.ts';

export function SchedulesScreen({ session, onSignedOut }: FleetScreenProps) {
  const loaded = useLive<readonly ScheduleLine[]>('/schedules', [], onSignedOut);
  return (
    <Screen title="What is done at which times?" tab="Schedules">
      <WhenLoaded loaded={loaded} doing="Reading the schedules">
        {(schedules) =>
          schedules.length === 0 ? (
            <Empty>
              <p>There is no schedule yet.</p>
              <p>
                Add one on the command line: <code>storeport fleet schedule add --help</code> says how.
              </p>
            </Empty>
          ) : (
            <>
              <ScheduleTable schedules={schedules} />
              {session.commands ? <ShowCommand command={session.commands.schedules} /> : null}
            </>
          )
        }
      </WhenLoaded>
    </Screen>
  );
}

function ScheduleTable({ schedules }: { readonly schedules: readonly ScheduleLine[] }) {
  return (
    <table class="runs schedules">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Schedule</th>
          <th scope="col">Work</th>
          <th scope="col">Times</th>
          <th scope="col">Next</th>
          <th scope="col">Latest</th>
        </tr>
      </thead>
      <tbody>
        {schedules.map((schedule) => (
          <ScheduleRow key={schedule.name} schedule={schedule} />
        ))}
      </tbody>
    </table>
  );
}

function ScheduleRow({ schedule }: { readonly schedule: ScheduleLine }) {
  const { name, cron, zone, spreadS, stores, isPaused, nextSlot, lastSlot, lastTasks } = schedule;
  const problems = problemsOf(schedule);
  const counts = STATE_ORDER.flatMap((state) => {
    const count = lastTasks[state] ?? 0;
    return count > 0 ? [`${counted(count)} ${state}`] : [];
  });
  return (
    <tr>
      <td class="state">
        <Mark look={problems.length > 0 ? 'attention' : isPaused ? 'even' : 'good'} />
        {isPaused ? 'paused' : 'active'}
      </td>
      <td class="file">
        <bdi>{name}</bdi>
      </td>
      <td data-label="Work">
        {workWords(schedule)}
        <span class="counts">
          for <bdi>{stores === 'all' ? 'all stores' : stores}</bdi>
        </span>
        {problems.map((text) => (
          <div key={text} class="small">
            <bdi>{text}</bdi>
          </div>
        ))}
      </td>
      <td data-label="Times">
        <code>{cron}</code>
        <span class="counts">
          {zone}
          {spreadS > 0 ? `, spread over ${spanText(spreadS * 1000)}` : ''}
        </span>
      </td>
      <td class="when" data-label="Next">
        {nextSlot === null ? (isPaused ? 'not while paused' : 'unknown') : moment(nextSlot)}
      </td>
      <td data-label="Latest">
        {lastSlot === null ? <span class="quiet">not yet</span> : moment(lastSlot)}
        <span class="counts">{counts.join(', ')}</span>
      </td>
    </tr>
  );
}

/** Reasons for which a schedule does not do all that it says. */
function problemsOf({ gone, selected, trouble }: ScheduleLine): string[] {
  return [
    ...(gone.length === 0 ? [] : [`No store is there for ${gone.join(', ')}: left out.`]),
    ...(selected === 0 ? ['It selects no store, so it makes no tasks.'] : []),
    ...(trouble === null ? [] : [`It could not begin at ${moment(trouble.at)}: ${trouble.message}`]),
  ];
}
