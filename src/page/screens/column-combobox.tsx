import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ColumnView } from '../../ui/api/index.ts';

/** Options that are shown at once: a file may have thousands of columns. */
const MOST_OPTIONS = 50;

export interface ColumnOption {
  readonly name: string;
  /** Beside the name: why it may be meant, or its cells. */
  readonly about: string;
}

/** Columns that may be meant for a field, the likeliest first, then the others in the order of the file. */
export function optionsFor(columns: readonly ColumnView[], field: string): readonly ColumnOption[] {
  const ranks = ['sure', 'likely', 'a guess'];
  const meant = columns
    .flatMap((column) => {
      const hint = column.suggestions.find((each) => each.field === field);
      return hint ? [{ column, hint }] : [];
    })
    .sort((a, b) => ranks.indexOf(a.hint.confidence) - ranks.indexOf(b.hint.confidence))
    .map(({ column, hint }) => ({ name: column.name, about: `${hint.confidence}: ${hint.reason}` }));
  const names = new Set(meant.map(({ name }) => name));
  const others = columns
    .filter(({ name }) => !names.has(name))
    .map(({ name, samples, looksLike }) => ({ name, about: samples[0] ?? looksLike }));
  return [...meant, ...others];
}

/** Chooses a column by a part of its name: arrows move, Enter picks, Escape closes. */
export function ColumnCombobox({
  label,
  value,
  options,
  onPick,
}: {
  readonly label: string;
  /** The column in force; '' if there is none. */
  readonly value: string;
  readonly options: readonly ColumnOption[];
  readonly onPick: (column: string) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** What is typed; undefined shows the column in force. */
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(-1);
  const wanted = (typed ?? '').trim().toLowerCase();
  const found = options.filter(({ name }) => name.toLowerCase().includes(wanted));
  const shown = found.slice(0, MOST_OPTIONS);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const open = () => {
    if (isOpen) return;
    setOpen(true);
    setAt(shown.findIndex(({ name }) => name === value));
  };
  const close = () => {
    setOpen(false);
    setTyped(undefined);
    setAt(-1);
  };
  const pick = (option: ColumnOption | undefined) => {
    if (!option) return;
    close();
    if (option.name !== value) onPick(option.name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      event.stopPropagation();
      if (!isOpen) return open();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt(Math.min(shown.length - 1, Math.max(0, at + step)));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      pick(shown[at] ?? (shown.length === 1 ? shown[0] : undefined));
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <div class="combobox">
      <label class="small quiet" for={id}>
        {label}
      </label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        placeholder={value === '' ? 'Choose a column' : value}
        value={typed ?? value}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setOpen(true);
          setAt(currentTarget.value.trim() === '' ? -1 : 0);
        }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {isOpen ? (
        <div class="options" ref={list}>
          <div id={`${id}-list`} role="listbox" aria-label={label}>
            {shown.map((option, n) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input.
              // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus, and names the option.
              <div
                key={option.name}
                id={`${id}-${n}`}
                role="option"
                aria-selected={n === at}
                // The input keeps the focus, or the list would close before the click.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(option)}
              >
                <bdi>{option.name}</bdi>
                <bdi class="about">{option.about}</bdi>
              </div>
            ))}
          </div>
          {found.length === 0 ? <p class="small quiet">No column has this in its name.</p> : null}
          {found.length > shown.length ? (
            <p class="small quiet">The first {shown.length}. Type a part of the name to find others.</p>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** One column or several, each in a combobox: the first that is not empty is used. */
export function ColumnChoices({
  label,
  furtherLabel,
  addLabel,
  chosen,
  options,
  onChange,
}: {
  readonly label: string;
  readonly furtherLabel: string;
  readonly addLabel: string;
  readonly chosen: readonly string[];
  readonly options: readonly ColumnOption[];
  /** Called with all columns; with none if the last was removed. */
  readonly onChange: (columns: readonly string[]) => void;
}) {
  const [isAdding, setAdding] = useState(false);
  const count = chosen.length;
  const box = useRef<HTMLDivElement>(null);
  const focusOn = (n: number) => [...(box.current?.querySelectorAll('input') ?? [])].at(n)?.focus();
  useEffect(() => {
    if (isAdding) focusOn(-1);
  }, [isAdding]);
  const put = (n: number, column: string) => {
    setAdding(false);
    const next = [...chosen.slice(0, n), column, ...chosen.slice(n + 1)];
    onChange(next.filter((each, place) => next.indexOf(each) === place));
  };
  return (
    <div ref={box}>
      {(count === 0 || isAdding ? [...chosen, ''] : chosen).map((column, n) => (
        <div class="choice" key={n}>
          <ColumnCombobox
            label={n === 0 ? label : furtherLabel}
            value={column}
            options={options}
            onPick={(name) => put(n, name)}
          />
          {column === '' && n === 0 ? null : (
            <button
              type="button"
              class="plain"
              aria-label={column === '' ? 'Do not add one' : `Remove ${column}`}
              onClick={() => {
                setAdding(false);
                // This button goes away.
                focusOn(0);
                if (column !== '') onChange(chosen.filter((_, place) => place !== n));
              }}
            >
              Remove
            </button>
          )}
        </div>
      ))}
      {count > 0 && !isAdding ? (
        <button type="button" class="plain" onClick={() => setAdding(true)}>
          {addLabel}
        </button>
      ) : null}
    </div>
  );
}
