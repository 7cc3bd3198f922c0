import type { ImportChoice } from '../../ui/api/index.ts';
import { Notice } from '../parts/frame.tsx';
import { lookOf, Mark } from '../parts/mark.tsx';
import { OutcomeBar } from '../parts/outcomes.tsx';
import { addressOf } from '../router.ts';
import { counted, plural, spanText } from '../text.ts';
import { sendCounts } from './plan-words.ts';
import { CauseList, FigureTable, FindingList, type ShownSummary } from './summary-parts.tsx';

const MEANINGS: Readonly<Record<string, string>> = {
  create: 'will be created',
  update: 'will be updated, only in the fields that changed',
  unchanged: 'are in the store as they are: no request',
  invalid: 'do not fit: not sent',
  duplicate: 'are in the file again: sent once',
};

/** What the check found: every record in one of the lines, then the causes, then what is left out. */
export function PlanSummaryView({
  summary,
  choice,
  work,
}: {
  readonly summary: ShownSummary;
  readonly choice: ImportChoice;
  readonly work: string;
}) {
  const { plan, problems, records, stopped, files = [] } = summary;
  const { findings: doubtful = [] } = summary;
  const looks = files.flatMap(({ file, figures }) => (figures ? [{ file, figures }] : []));
  const { actions = {}, unused = [] } = plan ?? {};
  const { create, update } = sendCounts(summary, choice);
  const isLeftOut = (action: string) =>
    (action === 'create' && create === 0) || (action === 'update' && update === 0);
  return (
    <>
      <p class="quiet">{timeText(summary, create + update)}</p>
      {stopped ? (
        <Notice look="wrong">
          <p>The check stopped early: {stopped.message}</p>
        </Notice>
      ) : null}
      {doubtful.length > 0 ? (
        <p>
          <Mark look="attention" /> {plural(doubtful.length, 'finding')} below: valid, and probably not meant.
        </p>
      ) : null}
      <OutcomeBar outcomes={actions} total={records} />
      <table class="actions" aria-label={`All ${plural(records, 'record')} of the file`}>
        <tbody>
          {Object.entries(actions).map(([action, count]) => (
            <tr key={action}>
              <td class="number">{counted(count)}</td>
              <td>
                <Mark look={lookOf(action)} />
                {isLeftOut(action) ? 'left out, as you chose' : (MEANINGS[action] ?? action)}
              </td>
            </tr>
          ))}
          <tr class="sum">
            <td class="number">{counted(records)}</td>
            <td>
              {records === 1 ? 'record' : 'records'}
              {choice.limit === undefined ? ' of the file' : ', the first of the file'}
            </td>
          </tr>
        </tbody>
      </table>
      {problems.length > 0 ? (
        <>
          <h2>What does not fit</h2>
          <CauseList problems={problems} />
          <p class="small">
            <a href={addressOf('work', work, 'records')}>Look at these records</a>, or{' '}
            <a href={addressOf('work', work, 'columns')}>change how a column is read</a>. They can also be
            corrected after the import, in a grid.
          </p>
        </>
      ) : null}
      {doubtful.length > 0 ? (
        <>
          <h2>Valid, and probably not meant</h2>
          <FindingList findings={doubtful} />
        </>
      ) : null}
      {unused.length > 0 ? <UnusedColumns unused={unused} work={work} /> : null}
      {looks.length > 0 ? <h2>What the valid records are like</h2> : null}
      {looks.map(({ file, figures }) => (
        <FigureTable key={file} file={file} figures={figures} />
      ))}
    </>
  );
}

function timeText({ plan }: ShownSummary, records: number): string {
  const { rate } = plan ?? {};
  const requests = plural(records, 'request');
  if (records === 0) return 'No request is needed.';
  if (rate === undefined) return `${requests}. How fast this store takes them is not known yet.`;
  return `${requests}, at ${counted(rate)} a second as in an earlier run: about ${spanText((records / rate) * 1000)}.`;
}

function UnusedColumns({
  unused,
  work,
}: {
  readonly unused: NonNullable<NonNullable<ShownSummary['plan']>['unused']>;
  readonly work: string;
}) {
  return (
    <>
      <h2>{plural(unused.length, 'column')} not imported</h2>
      <ul class="unused">
        {unused.map(({ column, sample }) => (
          <li key={column}>
            <bdi>{column}</bdi>
            {sample === undefined ? (
              <span class="quiet small"> empty</span>
            ) : (
              <span class="quiet small">
                {' '}
                such as <bdi>{sample}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
      <p class="small">
        <a href={addressOf('work', work, 'columns')}>Choose fields for them</a>
      </p>
    </>
  );
}
