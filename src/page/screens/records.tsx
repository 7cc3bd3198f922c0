import { useState } from 'preact/hooks';
import type { RecordIssue, RecordsView, RecordView, WorkView } from '../../ui/api/index.ts';
import { get } from '../client.ts';
import { Empty, Failure, Notice, Screen, WhenLoaded } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { ShortcutSwitch, useShortcuts } from '../parts/shortcuts.tsx';
import { addressOf, openScreen } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { counted, plural } from '../text.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { CheckCommand } from './check-command.tsx';
import { RecordCells } from './record-cells.tsx';
import { RecordPayload } from './record-payload.tsx';
import type { RecordFocus } from './record-row.tsx';
import { WorkSteps } from './work-steps.tsx';
import './records.css';

/** One finished record at a time, beside its cells. */
export function RecordsScreen({ route: [, id = ''] }: ScreenProps) {
  const [at, setAt] = useState(0);
  const [earlier, setEarlier] = useState<readonly number[]>([]);
  const work = useLoad<WorkView>((signal) => get(`/works/${id}`, signal), [id]);
  const loaded = useLoad<RecordsView>(
    (signal) => get(`/works/${id}/records?from=${at}&count=1`, signal),
    [id, at],
  );
  const [record] = loaded.value?.records ?? [];
  const { run, failure, isBusy } = useAction();
  const [isRaw, setRaw] = useState(false);
  const [nothing, setNothing] = useState('');
  const go = (index: number) => {
    setNothing('');
    setEarlier((before) => [...before, at]);
    setAt(index);
  };
  const back = () => {
    const last = earlier.at(-1);
    setEarlier((before) => before.slice(0, -1));
    setAt(last ?? Math.max(0, at - 1));
  };
  /** Looks for a record. A search that takes too long says how far it came. */
  const find = (query: string, what: string, from: number) =>
    run(async () => {
      const found = await get<RecordsView>(`/works/${id}/records?from=${from}&count=1&${query}`);
      const [first] = found.records;
      if (first) go(first.index);
      else if (found.next !== null)
        setNothing(`No record ${what} among those up to ${counted(found.next)}: the search took too long.`);
      else if (from > 0) find(query, what, 0);
      else setNothing(`No record ${what}.`);
    });
  const hasNext = loaded.value?.next != null;
  const next = () => {
    if (hasNext && !loaded.isLoading) go(at + 1);
  };
  const shortcuts = useShortcuts({ n: next, p: back });
  return (
    <Screen
      title="Is this what should be in the store?"
      steps={<WorkSteps work={id} screen="records" name={work.value?.name} />}
      next={
        <button
          type="button"
          class="main"
          disabled={loaded.failure !== undefined}
          onClick={() => openScreen('work', id, 'plan')}
        >
          See the plan
        </button>
      }
    >
      <div class="row finder">
        <button type="button" onClick={back} aria-disabled={at === 0} aria-keyshortcuts="p">
          Previous <kbd>p</kbd>
        </button>
        <button type="button" onClick={next} aria-disabled={!hasNext} aria-keyshortcuts="n">
          Next <kbd>n</kbd>
        </button>
        <button type="button" disabled={isBusy} onClick={() => find('issues=1', 'has an issue', at + 1)}>
          Next with an issue
        </button>
        <FindKey onFind={(key) => find(`key=${encodeURIComponent(key)}`, `has the key ${key}`, 0)} />
        <ShortcutSwitch shortcuts={shortcuts} names="the keys n and p" />
        <span class="small quiet" role="status">
          {isBusy ? 'Searching …' : nothing}
        </span>
      </div>
      {failure ? <Failure failure={failure} /> : null}
      {loaded.failure ? (
        <p>
          <a href={addressOf('work', id, 'columns')}>Go back to the columns</a>
        </p>
      ) : null}
      <WhenLoaded loaded={loaded} doing="Making the record">
        {() =>
          record ? (
            <ShownRecord record={record} isRaw={isRaw} onRaw={setRaw} />
          ) : (
            <Empty>
              <p>The file has no record{at > 0 ? ` number ${counted(at + 1)}` : ''}.</p>
            </Empty>
          )
        }
      </WhenLoaded>
      {work.value && work.value.resource !== null ? (
        <CheckCommand work={id} record={at} inputs={[id, work.value.version, at]} />
      ) : null}
    </Screen>
  );
}

function FindKey({ onFind }: { readonly onFind: (key: string) => void }) {
  const [key, setKey] = useState('');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '') onFind(key.trim());
      }}
    >
      <input
        type="search"
        aria-label="Key of a record"
        placeholder="Find by key"
        value={key}
        onInput={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <button type="submit">Find</button>
    </form>
  );
}

function ShownRecord({
  record,
  isRaw,
  onRaw,
}: {
  readonly record: RecordView;
  readonly isRaw: boolean;
  readonly onRaw: (isRaw: boolean) => void;
}) {
  /** Field or column that the pointer or the keyboard is at. */
  const [focus, setFocus] = useState<RecordFocus>({});
  const { index, key, issues } = record;
  return (
    <>
      <p class="which" role="status">
        <b>
          Record {counted(index + 1)}: <bdi>{key === '' ? 'no key' : key}</bdi>
        </b>{' '}
        <span>
          <Mark look={issues.length === 0 ? 'good' : 'wrong'} />
          {issues.length === 0 ? 'It fits.' : `It does not fit: ${plural(issues.length, 'issue')}.`}
        </span>
      </p>
      {issues.length > 0 ? (
        <Notice look="wrong">
          <ul>
            {issues.slice(0, MOST_ISSUES).map((issue) => (
              <li key={`${issue.row} ${issue.field} ${issue.message}`}>
                {placeOf(issue)}
                {issue.message}
              </li>
            ))}
          </ul>
          {issues.length > MOST_ISSUES ? (
            <p class="small">and {counted(issues.length - MOST_ISSUES)} more, beside the fields and cells</p>
          ) : null}
        </Notice>
      ) : null}
      <div class="record" key={index}>
        <RecordCells record={record} focus={focus} onFocus={setFocus} />
        <RecordPayload record={record} focus={focus} onFocus={setFocus} isRaw={isRaw} onRaw={onRaw} />
      </div>
    </>
  );
}

/** Issues that are listed above the record. */
const MOST_ISSUES = 10;

function placeOf({ row, column, field }: RecordIssue): string {
  const place = [row === undefined ? '' : `row ${counted(row)}`, column ?? field ?? '']
    .filter((part) => part !== '')
    .join(', ');
  return place === '' ? '' : `${place.slice(0, 1).toUpperCase()}${place.slice(1)}: `;
}
