import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FixesView, FixRow, FixRowsView } from '../../ui/api/index.ts';
import { Grid } from '../grid/grid.tsx';
import {
  type CellChange,
  cellPlaces,
  cornersOf,
  type GridRange,
  isTooLarge,
  pastedCells,
  textOfCells,
} from '../grid/selection.ts';
import { Failure, Notice } from '../parts/frame.tsx';
import { choiceInAddress, keepInAddress } from '../router.ts';
import { CauseFacets } from './cause-facets.tsx';
import { FixState, FixTools, RowReason } from './fix-tools.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';
import { useFixes } from './use-fixes.ts';

const START: GridRange = { anchor: { row: 0, column: 0 }, head: { row: 0, column: 0 } };

/** The rows that did not arrive, by cause, and the ways to correct them. */
export function FixGrid({
  run,
  view,
  checks,
  onView,
  onElsewhere,
  onSaving,
}: {
  readonly run: string;
  readonly view: FixRowsView;
  /** Counts checks that have ended: each may have found other cells wrong. */
  readonly checks: number;
  readonly onView: (change: (view: FixRowsView) => FixRowsView) => void;
  /** Called when the rows were changed elsewhere. */
  readonly onElsewhere: () => void;
  readonly onSaving: (isSaving: boolean) => void;
}) {
  const [chosen, setChosen] = useState(() => Number(choiceInAddress('cause') ?? Number.NaN));
  /** Undefined for all. Causes have other numbers after some of the rows have arrived. */
  const cause = view.causes.find((each) => each.cause === chosen)?.cause;
  const choose = (wanted: number | undefined) => {
    setChosen(wanted ?? Number.NaN);
    keepInAddress('cause', wanted?.toString());
  };
  const [range, setRange] = useState(START);
  const [isReplacing, setReplacing] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const fixes = useFixes(run, cause, {
    shown: view.version,
    onEdited: ({ corrected, canUndo, canRedo }: FixesView) =>
      onView((before) => ({ ...before, corrected, canUndo, canRedo })),
    onElsewhere,
  });
  const { pages, edit, set, isSaving } = fixes;
  useEffect(() => onSaving(isSaving), [isSaving]);
  useEffect(() => {
    if (checks > 0) pages.reload();
  }, [checks]);
  const { columns } = view;
  const total =
    cause === undefined ? view.total : (view.causes.find((each) => each.cause === cause)?.rows ?? 0);
  const focused = pages.at(range.head.row);
  const begin = useFirstMark(pages.at(0), cause);
  /** Runs the work on a range, or says that it is too large. */
  const on = (work: (wanted: GridRange) => void) => (wanted: GridRange) => {
    setRefused(isTooLarge(wanted));
    if (!isTooLarge(wanted)) work(wanted);
  };
  const setAll = (cells: readonly CellChange[]) => {
    // Corners of a paste may lie beyond the selection.
    const last = cells.at(-1);
    if (last && cells[0]) on(() => set(cells))({ anchor: cells[0], head: last });
  };
  const drop = on((wanted) => {
    const { top, bottom } = cornersOf(wanted);
    const op = focused?.isDropped ? 'keep' : 'drop';
    pages.rowsOf(top, bottom).then(
      (rows) => edit({ op, rows: rows.map(({ index }) => index) }),
      () => {},
    );
  });
  const undo = () => view.canUndo && edit({ op: 'undo' });
  const redo = () => view.canRedo && edit({ op: 'redo' });
  return (
    <div class="fix">
      <CauseFacets causes={view.causes} total={view.total} chosen={cause} onChoose={choose} />
      <div>
        <FixTools
          canUndo={view.canUndo}
          canRedo={view.canRedo}
          onUndo={undo}
          onRedo={redo}
          onReplace={() => setReplacing(true)}
          onDrop={() => drop(range)}
          selectedRows={Math.abs(range.head.row - range.anchor.row) + 1}
          isDropped={focused?.isDropped ?? false}
        />
        {fixes.failure ? <Failure failure={fixes.failure} onRetry={pages.reload} /> : null}
        {isRefused ? (
          <Notice look="attention" role="alert">
            <p>
              This is too much to change by hand: select at most 5,000 rows and 50,000 cells. “Replace in a
              column” changes all rows at once.
            </p>
          </Notice>
        ) : null}
        <RowReason row={focused} columns={columns} />
        <Grid
          key={columns.length}
          label="Rows to correct"
          columns={columns}
          rows={total}
          rowAt={pages.at}
          begin={begin}
          onSight={pages.want}
          onRange={setRange}
          onUndo={undo}
          onRedo={redo}
          onEdit={(place, text) => set([{ ...place, text }])}
          onEmpty={on((wanted) => set(cellPlaces(wanted).map((place) => ({ ...place, text: '' }))))}
          onFillDown={on((wanted) => set(filledDown(wanted, pages.at)))}
          onPaste={(wanted, text) =>
            on(() => setAll(pastedCells(text, wanted, { rows: total, columns: columns.length })))(wanted)
          }
          onCopy={(wanted, event) => {
            event.preventDefault();
            on(() => copyRange(wanted, event, pages))(wanted);
          }}
        />
        <div class="fix-foot">
          <FixState corrected={view.corrected} said={fixes.said} isSaving={isSaving} />
          <GridKeysHelp />
        </div>
      </div>
      {isReplacing ? (
        <ReplaceDialog
          columns={columns}
          column={range.head.column}
          find={focused?.cells[range.head.column] ?? ''}
          hasCause={cause !== undefined}
          onClose={() => setReplacing(false)}
          onReplace={({ column, find, text, inAll }) => {
            setReplacing(false);
            edit({ op: 'replace', column, find, text, ...(inAll || cause === undefined ? {} : { cause }) });
          }}
        />
      ) : null}
    </div>
  );
}

/** The first wrong cell: it may be far to the right. Changes only when other rows are shown. */
function useFirstMark(first: FixRow | undefined, cause: number | undefined) {
  const column = first?.marks[0] ?? 0;
  // The values of the first row are no input: corrections of the first row must not move the keyboard.
  return useMemo(() => ({ row: 0, column }), [first === undefined, cause]);
}

/** The text of the first row of a range, in the rows below it. */
function filledDown(range: GridRange, rowAt: (index: number) => FixRow | undefined): CellChange[] {
  const { top } = cornersOf(range);
  const above = rowAt(top);
  if (!above) return [];
  return cellPlaces(range).flatMap((place) =>
    place.row === top ? [] : [{ ...place, text: above.cells[place.column] ?? '' }],
  );
}

/** Copies a range as a spreadsheet pastes it. Rows that are not here yet are fetched first. */
function copyRange(
  range: GridRange,
  event: ClipboardEvent,
  pages: {
    at: (index: number) => FixRow | undefined;
    rowsOf: (from: number, to: number) => Promise<readonly FixRow[]>;
  },
): void {
  const { top, bottom, left, right } = cornersOf(range);
  const textOf = (rows: readonly FixRow[]) =>
    textOfCells(rows.map(({ cells }) => cells.slice(left, right + 1)));
  const here = Array.from({ length: bottom - top + 1 }, (_, n) => pages.at(top + n)).filter(
    (row) => row !== undefined,
  );
  if (here.length === bottom - top + 1) event.clipboardData?.setData('text/plain', textOf(here));
  else
    pages.rowsOf(top, bottom).then(
      (rows) => navigator.clipboard.writeText(textOf(rows)),
      () => {},
    );
}

function GridKeysHelp() {
  return (
    <details class="small">
      <summary>Keys of the grid</summary>
      <dl class="facts">
        <dt>Enter, F2 or typing</dt>
        <dd>edit; Enter and Tab keep the text and move on, Escape leaves the cell as it was</dd>
        <dt>Arrows, Home, End, Page Up, Page Down</dt>
        <dd>move; with Ctrl to the edge, with Shift to select</dd>
        <dt>Ctrl-C, Ctrl-V, Delete, Ctrl-D</dt>
        <dd>copy, paste, empty, fill down</dd>
        <dt>Ctrl-Z, Ctrl-Shift-Z</dt>
        <dd>undo, redo</dd>
        <dt>Alt-Shift-Left, Alt-Shift-Right</dt>
        <dd>make the column narrower or wider; or drag its edge</dd>
      </dl>
    </details>
  );
}
