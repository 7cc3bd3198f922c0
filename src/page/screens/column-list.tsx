import { useEffect, useRef, useState } from 'preact/hooks';
import type { ColumnView, FieldView, MappingView } from '../../ui/api/index.ts';
import { counted, percent } from '../text.ts';

/** Columns that are shown at once: more can be found by their names. */
const MOST = 200;

/** The columns of the file, with cells and with where they go. A column is dragged to a field, or picked first. */
export function ColumnList({
  view,
  chosen,
  picked,
  onPick,
  onField,
  isNarrow,
  isUnusedOnly,
  onUnusedOnly,
  onPut,
}: {
  readonly view: MappingView;
  readonly chosen: FieldView | undefined;
  readonly picked: string | undefined;
  readonly onPick: (column: string | undefined) => void;
  /** Called when a field that a column goes to is to be shown. */
  readonly onField: (field: string) => void;
  readonly isNarrow: boolean;
  readonly isUnusedOnly: boolean;
  readonly onUnusedOnly: (isUnusedOnly: boolean) => void;
  readonly onPut: (column: string, field: string) => void;
}) {
  const [most, setMost] = useState(MOST);
  const section = useRef<HTMLElement>(null);
  const wasUnusedOnly = useRef(isUnusedOnly);
  // On narrow screens the list is far below the counter that asks for it.
  useEffect(() => {
    if (isUnusedOnly && !wasUnusedOnly.current)
      section.current?.scrollIntoView({ block: isNarrow ? 'start' : 'nearest' });
    wasUnusedOnly.current = isUnusedOnly;
  }, [isUnusedOnly, isNarrow]);
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const unused = new Set(isUnusedOnly ? view.unused : []);
  const found = view.columns.filter(
    ({ name }) => name.toLowerCase().includes(wanted) && (!isUnusedOnly || unused.has(name)),
  );
  const used = chosen?.rule?.columns ?? [];
  return (
    <section ref={section} class="side columns" aria-label="Columns of the file">
      <h2>Columns ({counted(view.columns.length)})</h2>
      <input
        type="search"
        aria-label="Search columns"
        placeholder="Search columns"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <label class="small check">
        <input
          type="checkbox"
          checked={isUnusedOnly}
          onChange={({ currentTarget }) => onUnusedOnly(currentTarget.checked)}
        />
        Only those with data that go nowhere
      </label>
      <p class="small picked" role="status">
        {picked === undefined ? '' : `Now choose the field for ${picked}, or press Escape.`}
      </p>
      <ul>
        {found.slice(0, most).map((column) => (
          <li key={column.name}>
            <button
              type="button"
              class="entry"
              draggable
              data-column={column.name}
              aria-pressed={picked === column.name}
              aria-current={used.includes(column.name) ? 'true' : undefined}
              onClick={() => {
                onPick(picked === column.name ? undefined : column.name);
                if (column.fields[0] !== undefined) onField(column.fields[0]);
              }}
              onKeyDown={(event) => event.key === 'Escape' && onPick(undefined)}
              onDragStart={(event) => event.dataTransfer?.setData('text/plain', column.name)}
            >
              <ColumnFacts column={column} />
            </button>
            <SuggestedField column={column} onPut={onPut} />
          </li>
        ))}
      </ul>
      {found.length > most ? (
        <p class="small">
          <span class="quiet">{counted(found.length - most)} more.</span>{' '}
          <button type="button" onClick={() => setMost(most + MOST)}>
            Show the next {counted(Math.min(MOST, found.length - most))}
          </button>
        </p>
      ) : null}
      {found.length === 0 ? (
        <p class="quiet small">{wanted === '' ? 'None.' : 'No such column has this in its name.'}</p>
      ) : null}
    </section>
  );
}

function ColumnFacts({ column }: { readonly column: ColumnView }) {
  const { name, looksLike, filled, samples, fields } = column;
  return (
    <>
      <span class="facts">
        {looksLike}, {percent(filled)} filled
      </span>
      <bdi class="name">{name}</bdi>
      {samples.map((cell) => (
        <bdi class="cell" key={cell}>
          {cell}
        </bdi>
      ))}
      <span class="from">
        {fields.length > 0 ? `→ ${fields.join(', ')}` : filled === 0 ? 'empty' : 'goes nowhere'}
      </span>
    </>
  );
}

/** Offers the likeliest field of a column that goes nowhere. */
function SuggestedField({
  column: { name, fields, filled, suggestions },
  onPut,
}: {
  readonly column: ColumnView;
  readonly onPut: (column: string, field: string) => void;
}) {
  const [meant] = suggestions;
  if (!meant || fields.length > 0 || filled === 0) return null;
  return (
    <p class="small suggested">
      <span class="quiet">
        {meant.confidence}: {meant.reason}
      </span>{' '}
      <button type="button" class="plain" onClick={() => onPut(name, meant.field)}>
        Use it for {meant.field}
      </button>
    </p>
  );
}
