import { useState } from 'preact/hooks';
import type { FieldView, SimpleRule } from '../../ui/api/index.ts';
import { useTyped } from '../use-typed.ts';

const NUMBERS = [
  ['plain', '1234.50'],
  ['english', '1,234.50'],
  ['german', '1.234,50'],
  ['french', '1 234,50'],
  ['swiss', "1'234.50"],
] as const;

interface RuleOptionsProps {
  readonly field: FieldView;
  readonly rule: SimpleRule;
  readonly onChange: (rule: SimpleRule) => void;
}

/** How the cells of a column are read: only what fits the type of the field. */
export function RuleOptions({ field, rule, onChange }: RuleOptionsProps) {
  const { type } = field;
  return (
    <>
      {type === 'number' || rule.number ? (
        <>
          <label class="field">
            <span>Numbers are written like</span>
            <select
              value={rule.number ?? 'plain'}
              onChange={({ currentTarget }) =>
                onChange({ ...rule, number: currentTarget.value as NonNullable<SimpleRule['number']> })
              }
            >
              {NUMBERS.map(([name, example]) => (
                <option key={name} value={name}>
                  {example}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <input
              type="checkbox"
              checked={rule.currency !== undefined && rule.currency !== false}
              onChange={({ currentTarget }) => {
                const { currency: _, ...rest } = rule;
                onChange(currentTarget.checked ? { ...rest, currency: true } : rest);
              }}
            />
            The cells have the sign or code of a currency
            {typeof rule.currency === 'object' || typeof rule.currency === 'string'
              ? `: ${[rule.currency].flat().join(', ')}`
              : null}
          </label>
        </>
      ) : null}
      {type === 'list' || rule.split !== undefined ? (
        <TypedText
          label="Delimiter between the parts of the list"
          value={rule.split ?? ''}
          onText={(split) => {
            const { split: _, ...rest } = rule;
            onChange(split === '' ? rest : { ...rest, split });
          }}
        />
      ) : null}
      {type === 'choice' || type === 'yes or no' || rule.words ? (
        <Words field={field} rule={rule} onChange={onChange} />
      ) : null}
      {type === 'list' || type === 'object' ? null : (
        <TypedText
          label="Value for empty cells"
          value={rule.default === undefined ? '' : String(rule.default)}
          onText={(text) => {
            const { default: _, ...rest } = rule;
            const value = type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
            onChange(text === '' ? rest : { ...rest, default: value });
          }}
        />
      )}
    </>
  );
}

/** The words of the cells beside the values of the store. */
function Words({ field, rule, onChange }: RuleOptionsProps) {
  const words = Object.entries(rule.words ?? {});
  const choices = field.values ?? ['true', 'false'];
  const put = (key: string, text: string | undefined) => {
    const value = field.type === 'yes or no' && text !== undefined ? text === 'true' : text;
    const next = Object.fromEntries([
      ...words.filter(([each]) => each !== key),
      ...(value === undefined ? [] : [[key, value] as const]),
    ]);
    const { words: _, ...rest } = rule;
    onChange(Object.keys(next).length === 0 ? rest : { ...rest, words: next });
  };
  return (
    <fieldset class="panel">
      <legend class="small quiet">Words of the cells, and what they mean</legend>
      {words.map(([key, value]) => (
        <div class="row" key={key}>
          <label class="field">
            <span>
              <bdi>{key}</bdi>
            </span>
            <select value={String(value)} onChange={({ currentTarget }) => put(key, currentTarget.value)}>
              {choices.includes(String(value)) ? null : <option>{String(value)}</option>}
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          </label>
          <button
            type="button"
            class="plain"
            aria-label={`Remove the word ${key}`}
            onClick={() => put(key, undefined)}
          >
            Remove
          </button>
        </div>
      ))}
      <NewWord choices={choices} onAdd={put} />
    </fieldset>
  );
}

/** One more word. Its meaning is a decision of the user, so none is chosen before. */
function NewWord({
  choices,
  onAdd,
}: {
  readonly choices: readonly string[];
  readonly onAdd: (word: string, meaning: string) => void;
}) {
  const [word, setWord] = useState('');
  const [meaning, setMeaning] = useState('');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(word.trim(), meaning);
        setWord('');
        setMeaning('');
      }}
    >
      <label class="field">
        <span>Another word</span>
        <input value={word} onInput={({ currentTarget }) => setWord(currentTarget.value)} />
      </label>
      <label class="field">
        <span>means</span>
        <select value={meaning} onChange={({ currentTarget }) => setMeaning(currentTarget.value)}>
          <option value="">choose</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      </label>
      <button type="submit" class="field" disabled={word.trim() === '' || meaning === ''}>
        Add
      </button>
    </form>
  );
}

/** A text that takes effect while one types. */
function TypedText({
  label,
  value,
  onText,
}: {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}) {
  const typed = useTyped<HTMLInputElement>(value, onText);
  return (
    <label class="field">
      <span>{label}</span>
      <input {...typed} spellcheck={false} />
    </label>
  );
}
