import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RecordIssue } from '../../ui/api/index.ts';
import { Mark } from '../parts/mark.tsx';
import { counted } from '../text.ts';

/** The field or the column that the pointer or the keyboard is at. */
export interface RecordFocus {
  readonly field?: string;
  readonly column?: string;
}

/** A name with its value, its counterparts and its issues. While it is pointed at, its counterparts are marked. */
export function ValueRow({
  name,
  children,
  note,
  issues,
  isLinked,
  isStop,
  onFocus,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
  /** Where it comes from, or goes to. */
  readonly note: string;
  readonly issues: readonly RecordIssue[];
  readonly isLinked: boolean;
  /** True for the one row of a list that Tab reaches; arrows move on. */
  readonly isStop: boolean;
  readonly onFocus: (isIn: boolean) => void;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but show what belongs together.
    <div
      tabIndex={isStop ? 0 : -1}
      data-value
      class={issues.length > 0 ? 'value bad' : isLinked ? 'value linked' : 'value'}
      onMouseEnter={() => onFocus(true)}
      onMouseLeave={() => onFocus(false)}
      onFocus={() => onFocus(true)}
      onBlur={() => onFocus(false)}
    >
      <dt>
        <bdi>{name === '' ? 'no name' : name}</bdi>
      </dt>
      <dd dir="auto">{children}</dd>
      {note === '' ? null : <dd class="note">{note}</dd>}
      {issues.map(({ message }) => (
        <dd class="why" key={message}>
          <Mark look="wrong" />
          {message}
        </dd>
      ))}
    </div>
  );
}

/** Moves the focus with the arrow keys from row to row of a list. */
export function moveInList(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const target = event.target as HTMLElement;
  if (step === 0 || !target.matches('[data-value]')) return;
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-value]')];
  const next = rows[rows.indexOf(target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Characters of a longer text that are shown at first. */
const SHOWN = 240;
/** A text that is hardly longer is shown whole. */
const LONG = 320;

/** A value as text: HTML stays markup that is read, and an address is not loaded. */
export function ValueText({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (value === '' || value === null || value === undefined) return <span class="quiet">empty</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= LONG) return <>{text}</>;
  return (
    <>
      {isWhole ? text : `${text.slice(0, SHOWN)}…`}{' '}
      <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${counted(text.length)} characters`}
      </button>
    </>
  );
}

/** True for the field itself, and for one inside it. */
export function isInside(field: string, outer: string | undefined): boolean {
  return outer !== undefined && (field === outer || field.startsWith(`${outer}.`));
}
