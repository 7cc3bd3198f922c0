import { useEffect, useRef, useState } from 'preact/hooks';
import type { FieldView, MappingEdit, MappingView, WorkView } from '../../ui/api/index.ts';
import { get, post } from '../client.ts';
import { Failure, Notice, Screen, WhenLoaded } from '../parts/frame.tsx';
import { openScreen } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { useEdits } from '../use-edits.ts';
import { useLoad } from '../use-load.ts';
import { useMedia } from '../use-media.ts';
import { CheckCommand } from './check-command.tsx';
import { Counters } from './column-counters.tsx';
import { ColumnList } from './column-list.tsx';
import { FieldList } from './field-list.tsx';
import { GroupBy } from './group-by.tsx';
import { MatchLines } from './match-lines.tsx';
import type { MatchingProps } from './match-props.ts';
import { OpenQuestions } from './open-questions.tsx';
import { RulePanel } from './rule-panel.tsx';
import { SaveMappingForm } from './save-mapping.tsx';
import { WorkSteps } from './work-steps.tsx';
import './columns.css';

/** The columns of the file beside the fields of the store. */
export function ColumnsScreen({ route: [, id = ''] }: ScreenProps) {
  const loaded = useLoad<MappingView>((signal) => get(`/works/${id}/mapping`, signal), [id]);
  const view = loaded.value;
  const work = useLoad<WorkView>((signal) => get(`/works/${id}`, signal), [id]);
  const edits = useEdits(
    (wanted: MappingEdit, query) => post<MappingView>(`/works/${id}/mapping${query}`, wanted),
    loaded,
  );
  const name = work.value?.name;
  return (
    <Screen
      title="Which column is which field?"
      steps={<WorkSteps work={id} screen="columns" name={name} />}
      next={
        <>
          {view ? <SaveMappingForm work={id} name={name} view={view} onSaved={loaded.replace} /> : null}
          <button
            type="button"
            class="main"
            disabled={!view || view.faults.length > 0}
            onClick={() => openScreen('work', id, 'records')}
          >
            Look at the records
          </button>
        </>
      }
    >
      <WhenLoaded loaded={loaded} doing="Trying the mapping on a sample of the file">
        {(shown) => (
          <Matching view={shown} edit={edits.edit} pending={edits.pending} failure={edits.failure} />
        )}
      </WhenLoaded>
      {view ? <CheckCommand work={id} inputs={[id, view.version, view.savedAs]} /> : null}
    </Screen>
  );
}

/** Below this width, one list has all: the fields with their columns. */
const NARROW = '(max-width: 1000px)';

function Matching({ view, edit, pending, failure }: MatchingProps) {
  const isNarrow = useMedia(NARROW);
  const [isText, setText] = useState(false);
  const [field, setField] = useState(() => view.missing[0] ?? (isNarrow ? '' : (view.fields[0]?.path ?? '')));
  const [isUnusedOnly, setUnusedOnly] = useState(false);
  /** A column that was picked, and waits for its field. */
  const [picked, setPicked] = useState<string>();
  const area = useRef<HTMLDivElement>(null);
  const put = (column: string, path: string) => {
    setPicked(undefined);
    setField(path);
    const { simple } = view.fields.find((each) => each.path === path)?.rule ?? {};
    edit({ op: 'set', field: path, rule: { ...simple, columns: [column] } });
  };
  const choose = (path: string) => {
    if (picked !== undefined) put(picked, path);
    else setField(isNarrow && path === field ? '' : path);
  };
  useUndoKeys(view, edit);
  const chosen = view.fields.find(({ path }) => path === field);
  const panel = chosen ? (
    <RulePanel
      key={chosen.path}
      field={withPending(chosen, pending)}
      view={view}
      edit={edit}
      failure={failure}
    />
  ) : null;
  const columns = (
    <ColumnList
      view={view}
      chosen={chosen}
      picked={picked}
      isNarrow={isNarrow}
      isUnusedOnly={isUnusedOnly}
      onUnusedOnly={setUnusedOnly}
      onPick={setPicked}
      onField={setField}
      onPut={put}
    />
  );
  return (
    <>
      <Counters
        view={view}
        edit={edit}
        isBusy={pending !== undefined}
        isText={isText}
        onText={setText}
        onField={setField}
        onUnused={() => setUnusedOnly(true)}
      />
      {failure && (isText || !chosen) ? <Failure failure={failure} /> : null}
      <Faults view={view} />
      {isText ? (
        <WholeText key={view.text} view={view} edit={edit} />
      ) : (
        <>
          <OpenQuestions view={view} edit={edit} isBusy={pending !== undefined} />
          <GroupBy view={view} edit={edit} />
          <div class="match" ref={area}>
            {isNarrow ? null : columns}
            <div class="gap" />
            <FieldList
              view={view}
              chosen={field}
              picked={picked}
              onChoose={choose}
              onDrop={put}
              panel={isNarrow ? panel : undefined}
            />
            {isNarrow ? columns : panel}
            <MatchLines area={area} view={view} chosen={field} />
          </div>
        </>
      )}
    </>
  );
}

/** Shows a change at once: the next one is made from it. */
function withPending(field: FieldView, pending: MappingEdit | undefined): FieldView {
  if (pending?.op !== 'set' || pending.field !== field.path) return field;
  const { rule } = pending;
  const shown = {
    columns: rule.columns,
    kind: 'simple',
    text: field.rule?.text ?? '',
    simple: rule,
  } as const;
  return { ...field, rule: shown };
}

/** Faults of the whole mapping. Fields without a column are counted above, so they are not repeated here. */
function Faults({ view: { faults, missing } }: Pick<MatchingProps, 'view'>) {
  const shown = faults.filter((fault) => !missing.some((path) => fault.includes(path)));
  if (shown.length === 0) return null;
  return (
    <Notice look="wrong" role="alert">
      <p>The mapping cannot be used as it is.</p>
      <ul>
        {shown.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Ctrl-Z and Ctrl-Shift-Z, unless a text is being edited, which has its own. */
function useUndoKeys({ canUndo, canRedo }: MappingView, edit: MatchingProps['edit']): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isEditing = (event.target as HTMLElement).matches('input, textarea');
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || isEditing) return;
      event.preventDefault();
      if (event.shiftKey ? canRedo : canUndo) edit({ op: event.shiftKey ? 'redo' : 'undo' });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** The whole mapping as people write it. */
function WholeText({ view, edit }: Pick<MatchingProps, 'view' | 'edit'>) {
  const [text, setText] = useState(view.text);
  return (
    <form
      class="whole"
      onSubmit={(event) => {
        event.preventDefault();
        edit({ op: 'text', text });
      }}
    >
      <label class="field">
        <span>The mapping, as it is written into a file</span>
        <textarea value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} />
      </label>
      <button type="submit" disabled={text === view.text}>
        Use this text
      </button>
    </form>
  );
}
