import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FieldView, MappingView } from '../../ui/api/index.ts';
import { Mark, type MarkLook } from '../parts/mark.tsx';
import { ShortcutSwitch, useShortcuts } from '../parts/shortcuts.tsx';
import { plural } from '../text.ts';

interface FieldListProps {
  readonly view: MappingView;
  /** Path of the field that is shown beside. */
  readonly chosen: string;
  readonly picked: string | undefined;
  readonly onChoose: (field: string) => void;
  readonly onDrop: (column: string, field: string) => void;
  /** Shown below the chosen field, on narrow screens. */
  readonly panel?: ComponentChildren;
}

/** The fields of the store. `/` searches, arrows move, Enter chooses. */
export function FieldList({ view, chosen, picked, onChoose, onDrop, panel }: FieldListProps) {
  const [search, setSearch] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const shortcuts = useShortcuts({ '/': () => box.current?.focus() });
  useEffect(() => {
    const entry = list.current?.querySelector(`[data-field="${CSS.escape(chosen)}"]`);
    entry?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const wanted = search.trim().toLowerCase();
  const found = view.fields.filter(
    ({ path, rule }) =>
      path.toLowerCase().includes(wanted) ||
      rule?.columns.some((column) => column.toLowerCase().includes(wanted)),
  );
  const move = (event: KeyboardEvent, step: number) => {
    // The panel below a field has controls of its own.
    if ((event.target as HTMLElement).closest('.rule')) return;
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('.entry') ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const next = entries[at + step] ?? (step > 0 ? entries[0] : box.current);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(event, 1);
    if (event.key === 'ArrowUp') move(event, -1);
  };
  return (
    <section class="side fields" aria-label={`Fields of ${view.resource}`} onKeyDown={onKeyDown}>
      <h2>Fields of {view.resource}</h2>
      <input
        ref={box}
        type="search"
        aria-label="Search fields"
        placeholder={shortcuts.isOn ? 'Search fields: press /' : 'Search fields'}
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <ShortcutSwitch shortcuts={shortcuts} names="the key /" />
      <ul ref={list}>
        {found.map((field, n) => (
          <li key={field.path}>
            {field.group !== '' && field.group !== found[n - 1]?.group ? (
              <div class="group-name">{field.group}</div>
            ) : null}
            <FieldEntry
              field={field}
              isChosen={field.path === chosen}
              isMissing={view.missing.includes(field.path)}
              isTarget={picked !== undefined}
              onChoose={() => onChoose(field.path)}
              onDrop={(column) => onDrop(column, field.path)}
            />
            {field.path === chosen ? panel : null}
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p class="quiet">No field or column has this in its name.</p> : null}
    </section>
  );
}

function FieldEntry({
  field,
  isChosen,
  isMissing,
  isTarget,
  onChoose,
  onDrop,
}: {
  readonly field: FieldView;
  readonly isChosen: boolean;
  readonly isMissing: boolean;
  readonly isTarget: boolean;
  readonly onChoose: () => void;
  readonly onDrop: (column: string) => void;
}) {
  const { path, rule, isRequired, type, issues, confidence } = field;
  const [isOver, setOver] = useState(false);
  const look = lookOfField(field, isMissing);
  return (
    <button
      type="button"
      class={isTarget || isOver ? 'entry target' : 'entry'}
      data-field={path}
      aria-current={isChosen ? 'true' : undefined}
      onClick={onChoose}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const column = event.dataTransfer?.getData('text/plain');
        if (column) onDrop(column);
      }}
    >
      <span class="facts">{type}</span>
      {look ? <Mark look={look} /> : null}
      <span class="name">{path}</span> {isRequired ? <span class="required">required</span> : null}
      <span class="from">
        {rule ? (
          <>
            ←{' '}
            {rule.kind === 'constant'
              ? `always ${String(rule.constant)}`
              : rule.columns.join(', ') || 'a rule'}
            {confidence ? ` (${confidence})` : ''}
          </>
        ) : isMissing ? (
          'has no column'
        ) : (
          <span class="quiet">not set</span>
        )}
      </span>
      {issues.count > 0 ? (
        <span class="from">
          {plural(issues.count, 'record')} of the sample {issues.count === 1 ? 'does' : 'do'} not fit:{' '}
          {issues.example}
        </span>
      ) : null}
    </button>
  );
}

function lookOfField({ rule, issues, confidence }: FieldView, isMissing: boolean): MarkLook | undefined {
  if (isMissing) return 'wrong';
  if (!rule) return undefined;
  return issues.count > 0 || confidence === 'a guess' ? 'attention' : 'good';
}
