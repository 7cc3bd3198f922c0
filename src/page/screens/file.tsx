import { useState } from 'preact/hooks';
import type { ChangeWork, FoundFile, WorkView } from '../../ui/api/index.ts';
import { get, request } from '../client.ts';
import { Empty, Failure, Notice, Screen, WhenLoaded } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { openScreen } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { counted, plural, sizeText } from '../text.ts';
import { useEdits } from '../use-edits.ts';
import { useLoad } from '../use-load.ts';
import { CheckCommand } from './check-command.tsx';
import { ReadingMenus } from './file-menus.tsx';
import { MappingMenus } from './mapping-menus.tsx';
import { WorkSteps } from './work-steps.tsx';
import './file.css';

/** How a file was read, each part to be changed, and its first rows. */
export function FileScreen({ route: [, id = ''], start }: ScreenProps) {
  const loaded = useLoad<WorkView>((signal) => get(`/works/${id}`, signal), [id]);
  const { edit, pending, failure } = useEdits(
    (wanted: ChangeWork, query) => request<WorkView>('PATCH', `/works/${id}${query}`, { body: wanted }),
    loaded,
  );
  const isBusy = pending !== undefined;
  const work = loaded.value;
  const canGoOn = work?.found !== undefined && work.resource !== null;
  return (
    <Screen
      title="Is this how the file is meant to be read?"
      about={work ? factsOf(work) : undefined}
      steps={<WorkSteps work={id} screen="file" name={work?.name} />}
      next={
        <>
          <span class="small quiet" role="status">
            {isBusy ? 'Reading the file again …' : ''}
          </span>
          <button
            type="button"
            class="main"
            disabled={!canGoOn || isBusy}
            onClick={() => openScreen('work', id, 'columns')}
          >
            Match the columns
          </button>
        </>
      }
    >
      <WhenLoaded loaded={loaded} doing="Reading the file">
        {(view) => (
          <>
            {failure ? <Failure failure={failure} /> : null}
            {view.failure ? <Failure failure={view.failure} /> : null}
            <ReadingMenus work={view} onChange={edit} pending={pending} />
            {view.found ? (
              <>
                <MappingMenus work={view} start={start} onChange={edit} pending={pending} />
                <Warnings found={view.found} />
                <FirstRows found={view.found} />
              </>
            ) : null}
            {view.resource === null ? null : <CheckCommand work={id} inputs={[id, view.version]} />}
          </>
        )}
      </WhenLoaded>
    </Screen>
  );
}

function factsOf({ found, sizeBytes }: WorkView): string {
  if (!found) return sizeText(sizeBytes);
  const rows = `${found.rows.isExact ? '' : 'about '}${plural(found.rows.count, 'row')}`;
  return `${sizeText(sizeBytes)}, ${rows}, ${plural(found.columns.length, 'column')}`;
}

function Warnings({ found }: { readonly found: FoundFile }) {
  const { warnings, faulty, faultyCount } = found;
  return (
    <>
      {warnings.length > 0 ? (
        <Notice look="attention">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      ) : null}
      {faultyCount > 0 ? (
        <Notice look="wrong">
          <details class="faulty">
            <summary>
              <Mark look="wrong" />
              {plural(faultyCount, 'row')} of the sample {faultyCount === 1 ? 'does' : 'do'} not match the
              header. Show {faultyCount > faulty.length ? `the first ${counted(faulty.length)}` : 'why'}
            </summary>
            <ul>
              {faulty.map(({ row, message }) => (
                <li key={`${row} ${message}`}>
                  Row {counted(row)}: {message}
                </li>
              ))}
            </ul>
          </details>
        </Notice>
      ) : null}
    </>
  );
}

/** Columns that are shown at once. A file may have thousands. */
const COLUMNS = 60;

function FirstRows({ found }: { readonly found: FoundFile }) {
  const [from, setFrom] = useState(0);
  const { columns, head, faulty } = found;
  const shown = columns.slice(from, from + COLUMNS);
  const surplusOf = (cells: readonly string[]) =>
    cells
      .slice(columns.length)
      .filter((cell) => cell.trim() !== '')
      .join(' | ');
  const showsSurplus = from + COLUMNS >= columns.length && head.some(({ cells }) => surplusOf(cells) !== '');
  if (head.length === 0)
    return (
      <Empty>
        <p>There is no row below the header.</p>
        <p class="small">If the file has rows, choose another format or delimiter above.</p>
      </Empty>
    );
  const faults = new Map(faulty.map(({ row, message }) => [row, message]));
  return (
    <section aria-label="First rows">
      <h2>
        {head.length === found.rows.count
          ? plural(head.length, 'row')
          : `First ${plural(head.length, 'row')}`}
      </h2>
      {columns.length > COLUMNS ? (
        <p class="row small">
          <button type="button" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - COLUMNS))}>
            Earlier columns
          </button>
          <span>
            Columns {counted(from + 1)} to {counted(Math.min(from + COLUMNS, columns.length))} of{' '}
            {counted(columns.length)}
          </span>
          <button
            type="button"
            disabled={from + COLUMNS >= columns.length}
            onClick={() => setFrom(from + COLUMNS)}
          >
            Later columns
          </button>
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the box. */}
      <section class="table-box" tabIndex={0} aria-label="First rows of the file">
        <table class="cells">
          <thead>
            <tr>
              <th>
                <span class="spoken">Row</span>
              </th>
              {shown.map((name, n) => (
                <th key={from + n} scope="col" dir="auto">
                  {name === '' ? <i>no name</i> : name}
                </th>
              ))}
              {showsSurplus ? (
                <th scope="col">
                  <i>no column</i>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {head.map(({ row, cells }) => (
              <tr key={row} class={faults.has(row) ? 'faulty' : undefined}>
                <th scope="row" title={faults.get(row)}>
                  {faults.has(row) ? <Mark look="wrong" /> : null}
                  {row}
                  {faults.has(row) ? <span class="spoken">: {faults.get(row)}</span> : null}
                </th>
                {shown.map((_, n) => (
                  <td key={from + n} dir="auto" title={cells[from + n]}>
                    {cells[from + n] ?? ''}
                  </td>
                ))}
                {showsSurplus ? (
                  <td dir="auto" class={surplusOf(cells) === '' ? undefined : 'surplus'}>
                    {surplusOf(cells)}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
