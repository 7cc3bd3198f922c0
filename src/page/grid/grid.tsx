import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { GridHeader } from './grid-header.tsx';
import { gridAction } from './grid-keys.ts';
import { type CommitEdit, GridLine, type GridRow } from './grid-row.tsx';
import { cornersOf, type GridPlace, type GridRange, moved } from './selection.ts';
import { useWidths } from './use-widths.ts';
import { useWindow, type WindowItem } from './use-window.ts';
import './grid.css';

const ROW = 32;
const HEADER = 34;
const FIRST = 84;
const rowSize = () => ROW;
const SLOTS = 16;
/** Pixels of the borders and of a scroll bar below the last row. */
const AROUND = 18;

export interface GridProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** A row; undefined while it is fetched. The same row must be the same object. */
  readonly rowAt: (index: number) => GridRow | undefined;
  /** Called with the rows that are in sight. */
  readonly onSight: (from: number, to: number) => void;
  /** Called with the new text of one cell. */
  readonly onEdit: (place: GridPlace, text: string) => void;
  /** Called when a range is emptied, filled down, copied, or pasted into. */
  readonly onEmpty: (range: GridRange) => void;
  readonly onFillDown: (range: GridRange) => void;
  readonly onCopy: (range: GridRange, event: ClipboardEvent) => void;
  readonly onPaste: (range: GridRange, text: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  /** The cell to begin at. Another object moves there. */
  readonly begin: GridPlace;
  /** Called when the selection changes. */
  readonly onRange: (range: GridRange) => void;
}

/**
 * A grid of cells to edit: the pattern of the ARIA Authoring Practices, with one stop for the tabulator. Only the cells in
 * sight are in the page.
 */
export function Grid(props: GridProps) {
  const { label, columns, rows, rowAt, onSight, begin, onRange } = props;
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<GridRange>({ anchor: begin, head: begin });
  const [editing, setEditing] = useState<string>();
  const hasFocus = useRef(false);
  /** The keyboard has moved: the focus follows, also if its cell or field was removed meanwhile. */
  const wantsFocus = useRef(false);
  const isDragging = useRef(false);
  const { head } = range;
  const corners = cornersOf(range);
  const { widthOf, setWidth } = useWidths(columns, firstRows(rows, rowAt));
  const down = useWindow({
    ...{ count: rows, sizeOf: rowSize, box, covered: HEADER, overscan: 4, pinned: head.row },
  });
  const across = useWindow({
    ...{ count: columns.length, sizeOf: widthOf, box, horizontal: true, covered: FIRST, overscan: 1 },
    pinned: head.column,
  });
  const { from, to } = down.sight;
  const page = Math.max(1, to - from - 2);
  // Rows that leave the sight become those that enter it. That is quicker than new elements.
  const slots = Math.ceil(down.items.length / SLOTS) * SLOTS;
  useEffect(() => onSight(from, to), [from, to, onSight, rows]);
  useEffect(() => onRange(range), [range]);
  // The cell may have come into the page only now.
  useEffect(() => {
    if (editing !== undefined || !(wantsFocus.current || hasFocus.current)) return;
    wantsFocus.current = false;
    cellAtPlace(box.current, head)?.focus({ preventScroll: true });
  }, [range, editing === undefined]);
  useEffect(() => {
    setRange({ anchor: begin, head: begin });
    setEditing(undefined);
    down.scrollTo(begin.row);
    across.scrollTo(begin.column);
  }, [begin]);

  const go = (place: GridPlace, isRange = false) => {
    wantsFocus.current = true;
    setEditing(undefined);
    setRange((before) => ({ anchor: isRange ? before.anchor : place, head: place }));
    down.scrollTo(place.row);
    across.scrollTo(place.column);
  };
  const beginEdit = (place: GridPlace, typed?: string) => {
    const row = rowAt(place.row);
    if (row) setEditing(typed ?? row.cells[place.column] ?? '');
  };
  const commit: CommitEdit = (text, key) => {
    setEditing(undefined);
    if (text !== rowAt(head.row)?.cells[head.column]) props.onEdit(head, text);
    if (key !== '') go(moved(head, key, { rows, columns: columns.length }, { isFar: false, page }) ?? head);
  };
  const latest = useRef({ commit, go, head });
  latest.current = { commit, go, head };
  const onCommit = useCallback<CommitEdit>((text, key) => latest.current.commit(text, key), []);
  const onCancel = useCallback(() => latest.current.go(latest.current.head), []);

  const lineAt = ({ index, start }: WindowItem) => (
    <GridLine
      key={index === head.row ? 'head' : index % slots}
      index={index}
      top={start}
      first={FIRST}
      row={rowAt(index)}
      columns={across.items}
      selected={index >= corners.top && index <= corners.bottom ? corners : undefined}
      head={head.row === index ? head.column : undefined}
      editing={head.row === index ? editing : undefined}
      onCommit={onCommit}
      onCancel={onCancel}
    />
  );
  return (
    // biome-ignore lint/a11y/useKeyWithMouseEvents: the keyboard selects with Shift and the arrows.
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      style={{ maxHeight: `${down.total + AROUND}px` }}
      onKeyDown={(event) => {
        if (editing !== undefined) return;
        const action = gridAction(event, {
          ...{ range, rows, columns: columns.length, page },
          actions: {
            go,
            selectAll: () =>
              setRange({
                anchor: { row: 0, column: 0 },
                head: { row: rows - 1, column: columns.length - 1 },
              }),
            edit: (typed) => beginEdit(head, typed),
            empty: () => props.onEmpty(range),
            fillDown: () => props.onFillDown(range),
            undo: props.onUndo,
            redo: props.onRedo,
            widen: (pixels) => setWidth(head.column, widthOf(head.column) + pixels),
          },
        });
        if (!action) return;
        event.preventDefault();
        action();
      }}
      onMouseDown={(event) => {
        const place = placeOf(event.target);
        if (!place || event.button !== 0) return;
        // An open edit is committed at its own cell, before the keyboard moves.
        if (editing !== undefined) box.current?.querySelector('input')?.blur();
        isDragging.current = true;
        go(place, event.shiftKey);
      }}
      onMouseOver={(event) => {
        if (!isDragging.current) return;
        const place = placeOf(event.target);
        if (event.buttons !== 1) isDragging.current = false;
        else if (place) go(place, true);
      }}
      onMouseUp={() => {
        isDragging.current = false;
      }}
      onDblClick={(event) => {
        const place = placeOf(event.target);
        if (place) beginEdit(place);
      }}
      onFocusIn={() => {
        hasFocus.current = true;
      }}
      onFocusOut={(event) => {
        if (!box.current?.contains(event.relatedTarget as Node | null)) hasFocus.current = false;
      }}
      onCopy={(event) => {
        if (editing === undefined) props.onCopy(range, event);
      }}
      onPaste={(event) => {
        if (editing !== undefined) return;
        event.preventDefault();
        props.onPaste(range, event.clipboardData?.getData('text/plain') ?? '');
      }}
    >
      <div class="space" style={{ height: `${down.total}px`, width: `${across.total}px` }}>
        <GridHeader names={columns} columns={across.items} first={FIRST} onWidth={setWidth} />
        {/* The row with the keyboard is always the first element: a browser takes the focus from one that is moved. */}
        {down.items.filter(({ index }) => index === head.row).map(lineAt)}
        {down.items.filter(({ index }) => index !== head.row).map(lineAt)}
      </div>
    </div>
  );
}

/** Rows that the widths of the columns are fitted to. */
const SAMPLE = 30;

function firstRows(rows: number, rowAt: GridProps['rowAt']): GridRow[] {
  return Array.from({ length: Math.min(rows, SAMPLE) }, (_, index) => rowAt(index)).filter(
    (row) => row !== undefined,
  );
}

function cellAtPlace(box: HTMLElement | null, { row, column }: GridPlace): HTMLElement | null {
  return box?.querySelector<HTMLElement>(`[data-place="${row}:${column}"]`) ?? null;
}

/** The cell of an event; undefined on headers, and in the field of an edit. */
function placeOf(target: EventTarget | null): GridPlace | undefined {
  if (!(target instanceof Element) || target.localName === 'input') return undefined;
  const name = target.closest<HTMLElement>('[data-place]')?.dataset.place;
  const [row, column] = (name ?? '').split(':').map(Number);
  return name === undefined || row === undefined || column === undefined ? undefined : { row, column };
}
