import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';

export interface Replacement {
  readonly column: number;
  readonly find: string;
  readonly text: string;
  /** In all rows, and not only in those with the chosen cause. */
  readonly inAll: boolean;
}

/** Replaces a text in one column of many rows. */
export function ReplaceDialog({
  columns,
  column: first,
  find: shown,
  hasCause,
  onReplace,
  onClose,
}: {
  readonly columns: readonly string[];
  /** The column to begin with, and the text of its selected cell. */
  readonly column: number;
  readonly find: string;
  readonly hasCause: boolean;
  readonly onReplace: (replacement: Replacement) => void;
  readonly onClose: () => void;
}) {
  const [column, setColumn] = useState(first);
  const [find, setFind] = useState(shown);
  const [text, setText] = useState('');
  const [inAll, setInAll] = useState(!hasCause);
  return (
    <Dialog
      title="Replace in a column"
      onClose={onClose}
      buttons={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="main" onClick={() => onReplace({ column, find, text, inAll })}>
            Replace
          </button>
        </>
      }
    >
      <label class="field">
        <span>Column</span>
        <select value={column} onChange={({ currentTarget }) => setColumn(Number(currentTarget.value))}>
          {columns.map((name, n) => (
            <option key={name} value={n}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Find this text; leave it empty for empty cells</span>
        <input value={find} onInput={({ currentTarget }) => setFind(currentTarget.value)} />
      </label>
      <label class="field">
        <span>and put this in its place</span>
        <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      {hasCause ? (
        <label class="field">
          <input
            type="checkbox"
            checked={inAll}
            onChange={({ currentTarget }) => setInAll(currentTarget.checked)}
          />
          also in rows with other causes
        </label>
      ) : null}
    </Dialog>
  );
}
