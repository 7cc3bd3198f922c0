import type { FixRow } from '../../ui/api/index.ts';
import { Mark } from '../parts/mark.tsx';
import { counted, plural } from '../text.ts';

/** What can be done with the rows, above the grid. */
export function FixTools({
  canUndo,
  canRedo,
  onUndo,
  onRedo,
  onReplace,
  onDrop,
  selectedRows,
  isDropped,
}: {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onReplace: () => void;
  readonly onDrop: () => void;
  readonly selectedRows: number;
  /** The row with the keyboard is left out already. */
  readonly isDropped: boolean;
}) {
  const rows = selectedRows === 1 ? 'this row' : `these ${counted(selectedRows)} rows`;
  return (
    <div class="tools" role="toolbar" aria-label="Corrections">
      <button type="button" disabled={!canUndo} onClick={onUndo}>
        Undo
      </button>
      <button type="button" disabled={!canRedo} onClick={onRedo}>
        Redo
      </button>
      <button type="button" onClick={onReplace}>
        Replace in a column
      </button>
      <button type="button" onClick={onDrop}>
        {isDropped ? `Take ${rows} back` : `Leave ${rows} out`}
      </button>
    </div>
  );
}

/** The row with the keyboard: why it is here, and which cells are wrong. */
export function RowReason({
  row,
  columns,
}: {
  readonly row: FixRow | undefined;
  readonly columns: readonly string[];
}) {
  const { message = '' } = row ?? {};
  // Most messages begin with the row, and name the column.
  const isNamed = /^row \d/.test(message);
  const wrong =
    row?.marks.flatMap((column) => columns[column] ?? []).filter((name) => !message.includes(name)) ?? [];
  return (
    <section class="reason" aria-label="Reason of the selected row">
      {row ? (
        <p>
          {row.isHeld && !row.isDropped ? (
            <b>
              Row {counted(row.row)} is held until <code>storeport_surplus</code> is empty: move its text into
              the right cell first.{' '}
            </b>
          ) : null}
          {row.fits ? (
            <>
              <Mark look="good" />
              <b>Row {counted(row.row)} fits now.</b> It was not sent yet.
            </>
          ) : (
            <>
              {isNamed ? null : <b>Row {counted(row.row)} </b>}
              <bdi>{isNamed ? `R${message.slice(1)}` : message}</bdi>
              {wrong.length > 0 ? (
                <span class="quiet">
                  {' '}
                  In {wrong.length === 1 ? 'the column' : 'the columns'} <bdi>{wrong.join(', ')}</bdi>.
                </span>
              ) : null}
            </>
          )}
          {row.isDropped ? <b> Left out: it is not sent.</b> : null}
        </p>
      ) : null}
    </section>
  );
}

/** How much is corrected, and if it is kept already. */
export function FixState({
  corrected,
  said,
  isSaving,
}: {
  readonly corrected: number;
  readonly said: string;
  readonly isSaving: boolean;
}) {
  return (
    <p class="small quiet fix-state" role="status">
      {isSaving ? 'Saving …' : [said, `${plural(corrected, 'row')} corrected.`].filter(Boolean).join(' ')}
    </p>
  );
}
