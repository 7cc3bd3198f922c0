import { useId, useMemo, useState } from 'preact/hooks';
import type { FieldView, MappingEdit, MappingView, SimpleRule } from '../../ui/api/index.ts';
import type { RequestFailed } from '../client.ts';
import { Failure } from '../parts/frame.tsx';
import { Mark } from '../parts/mark.tsx';
import { plural } from '../text.ts';
import { useTyped } from '../use-typed.ts';
import { ColumnChoices, optionsFor } from './column-combobox.tsx';
import { RuleOptions } from './rule-options.tsx';

interface RulePanelProps {
  readonly field: FieldView;
  readonly view: MappingView;
  readonly edit: (edit: MappingEdit) => void;
  /** Failure of the latest change. */
  readonly failure: RequestFailed | undefined;
}

/** How one field is filled: its column, how the cells are read, and the values that come out. */
export function RulePanel({ field, view, edit, failure }: RulePanelProps) {
  const { path, rule, reason, confidence, issues, samples, description } = field;
  const [isText, setText] = useState(false);
  const isOther = rule?.kind === 'other';
  const faults = rule ? view.faults.filter((fault) => fault.includes(path)) : [];
  const simple = rule?.simple ?? { columns: [] };
  return (
    <section class="panel rule" aria-label={`Rule of ${path}`}>
      <h3>{path}</h3>
      {description === undefined ? null : <p class="small">{description}</p>}
      {confidence === undefined ? null : (
        <p class="small quiet">
          Suggested, {confidence}: {reason}
        </p>
      )}
      {isOther || isText ? (
        <RuleText field={field} edit={edit} />
      ) : (
        <>
          <ColumnPicker view={view} field={field} edit={edit} />
          {rule?.kind === 'simple' ? (
            <RuleOptions
              field={field}
              rule={simple}
              onChange={(changed: SimpleRule) => edit({ op: 'set', field: path, rule: changed })}
            />
          ) : null}
          <Constant field={field} edit={edit} />
        </>
      )}
      {rule ? (
        <div class="row">
          {isOther ? null : (
            <button type="button" class="plain" aria-pressed={isText} onClick={() => setText(!isText)}>
              {isText ? 'Rule as a form' : 'Rule as text'}
            </button>
          )}
          <button type="button" class="plain" onClick={() => edit({ op: 'remove', field: path })}>
            Leave this field out
          </button>
        </div>
      ) : null}
      {failure ? <Failure failure={failure} /> : null}
      {faults.map((fault) => (
        <p class="small fault" key={fault}>
          <Mark look="wrong" />
          {fault}
        </p>
      ))}
      <h3>Values</h3>
      {samples.length === 0 ? (
        <p class="quiet small">
          {view.sample.records === 0
            ? 'They are shown once the whole mapping can be used.'
            : 'No record of the sample has a value here.'}
        </p>
      ) : null}
      <ul class="results" aria-live="polite">
        {samples.map((sample) => (
          <li key={sample}>
            <bdi>{sample}</bdi>
          </li>
        ))}
      </ul>
      {issues.count > 0 ? (
        <p class="small fault">
          <Mark look="attention" />
          {plural(issues.count, 'record')} of the sample {issues.count === 1 ? 'does' : 'do'} not fit:{' '}
          {issues.example}
        </p>
      ) : null}
    </section>
  );
}

function ColumnPicker({ view, field, edit }: Pick<RulePanelProps, 'view' | 'field' | 'edit'>) {
  const { path, rule } = field;
  const options = useMemo(() => optionsFor(view.columns, path), [view.columns, path]);
  const written = rule?.simple?.columns ?? [];
  const [only] = rule?.columns ?? [];
  // A preset names a column as the platform does; the file may have that name in another language.
  const isAlias = written.length === 1 && rule?.columns.length === 1 && only !== undefined;
  return (
    <ColumnChoices
      label="Column"
      furtherLabel="If that is empty"
      addLabel="Add a column for empty cells"
      chosen={isAlias ? [only] : written}
      options={options}
      onChange={(columns) =>
        edit(
          columns.length === 0
            ? { op: 'remove', field: path }
            : { op: 'set', field: path, rule: { ...rule?.simple, columns } },
        )
      }
    />
  );
}

/** One value for all records. */
function Constant({ field, edit }: Pick<RulePanelProps, 'field' | 'edit'>) {
  const { path, rule, type, values } = field;
  const [text, setText] = useState(rule?.kind === 'constant' ? String(rule.constant) : '');
  const id = useId();
  const put = () => {
    const value =
      type === 'number' && Number.isFinite(Number(text)) && text.trim() !== ''
        ? Number(text)
        : type === 'yes or no'
          ? text === 'true'
          : text;
    edit({ op: 'constant', field: path, value });
  };
  if (type === 'list' || type === 'object') return null;
  const choices = values ?? (type === 'yes or no' ? ['true', 'false'] : undefined);
  return (
    <details open={rule?.kind === 'constant'}>
      <summary>The same value for all records</summary>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          put();
        }}
      >
        <div class="field">
          <label class="small quiet" for={id}>
            Value
          </label>
          {choices ? (
            <select id={id} value={text} onChange={(event) => setText(event.currentTarget.value)}>
              <option value="">choose</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <input id={id} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          )}
        </div>
        <button type="submit" class="field" disabled={text === ''}>
          Set
        </button>
      </form>
    </details>
  );
}

/** A rule as YAML, for all that the form cannot say. It is tried as one types. */
function RuleText({ field, edit }: Pick<RulePanelProps, 'field' | 'edit'>) {
  const before = field.rule?.text ?? '';
  const typed = useTyped<HTMLTextAreaElement>(before, (text) => {
    if (text.trim() !== '' && text !== before) edit({ op: 'rule', field: field.path, text });
  });
  return (
    <label class="field">
      <span>Rule, in the mapping language</span>
      <textarea {...typed} spellcheck={false} />
    </label>
  );
}
