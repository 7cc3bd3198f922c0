import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../text.ts';

interface Doubt {
  readonly row: number;
  readonly file?: string | undefined;
  readonly key: string;
  /** Code of the reason. */
  readonly code: string;
}

const REASONS: Readonly<Record<string, string>> = {
  crash: 'the program was killed before the answer',
  'no-answer': 'no answer came in time',
};

/** A record in doubt, with the controls to answer. */
export function DoubtRow({
  doubt,
  onAnswer,
  isBusy,
  canBeAbsent = true,
}: {
  readonly doubt: Doubt;
  /** Called with the identifier in the store, or with null if it is not there. */
  readonly onAnswer: (id: string | null) => void;
  readonly isBusy: boolean;
  /** False: "it is not there" is no answer yet. */
  readonly canBeAbsent?: boolean;
}) {
  const [id, setId] = useState('');
  const { key } = doubt;
  return (
    <tr>
      <DoubtCells doubt={doubt} />
      <td class="answers">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (id.trim() !== '') onAnswer(id.trim());
          }}
        >
          <input
            aria-label={`Identifier of ${key} in the store`}
            placeholder="its identifier"
            value={id}
            onInput={({ currentTarget }) => setId(currentTarget.value)}
          />
          <button type="submit" disabled={isBusy || id.trim() === ''}>
            It is there
          </button>
          <button type="button" disabled={isBusy || !canBeAbsent} onClick={() => onAnswer(null)}>
            It is not there
          </button>
        </form>
      </td>
    </tr>
  );
}

/** The cells that say which record it is, and why it is in doubt. */
export function DoubtCells({ doubt: { row, file, key, code } }: { readonly doubt: Doubt }) {
  return (
    <>
      <td>
        {file === undefined ? null : (
          <>
            <bdi>{file}</bdi>,{' '}
          </>
        )}
        row {counted(row)}
      </td>
      <td>
        <bdi>{key}</bdi>
      </td>
      <td>{REASONS[code] ?? code}</td>
    </>
  );
}

/**
 * Moves the focus to the row in the place of one that was answered and is gone. `list`: changes with the rows. Returns the ref
 * of the table, and a function for the place of the answered row.
 */
export function useNextDoubt(list: unknown) {
  const table = useRef<HTMLTableElement>(null);
  const answered = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (answered.current === undefined) return;
    const fields = table.current?.querySelectorAll('input') ?? [];
    fields[Math.min(answered.current, fields.length - 1)]?.focus();
    answered.current = undefined;
  }, [list]);
  const onAnswered = (place: number) => {
    answered.current = place;
  };
  return { table, onAnswered };
}
