import { Component, createRef } from 'preact';
import type { WindowItem } from './use-window.ts';

/** A row of the grid, as the API has it. */
export interface GridRow {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly cells: readonly string[];
  /** Indexes of the columns that are wrong, and of those that were changed. */
  readonly marks: readonly number[];
  readonly edited: readonly number[];
  readonly isDropped: boolean;
  /** Why it is here. */
  readonly message: string;
}

/** Ends an edit. `key`: where to go then, as an arrow key does; '' stays. */
export type CommitEdit = (text: string, key: string) => void;

export interface GridLineProps {
  readonly index: number;
  readonly top: number;
  /** Pixels of the first column. */
  readonly first: number;
  /** Undefined while it is fetched. */
  readonly row: GridRow | undefined;
  readonly columns: readonly WindowItem[];
  /** Selected columns; undefined if none is in this row. */
  readonly selected: { readonly left: number; readonly right: number } | undefined;
  /** Column with the keyboard; undefined if it is in another row. */
  readonly head: number | undefined;
  /** The text at the beginning of an edit; undefined if no cell of this row is edited. */
  readonly editing: string | undefined;
  readonly onCommit: CommitEdit;
  readonly onCancel: () => void;
}

/** One row. It is drawn again only if something of it changes: a scroll moves many rows, and changes few. */
export class GridLine extends Component<GridLineProps> {
  override shouldComponentUpdate(next: GridLineProps): boolean {
    const { props } = this;
    return (
      next.row !== props.row ||
      next.top !== props.top ||
      next.columns !== props.columns ||
      next.head !== props.head ||
      next.editing !== props.editing ||
      next.selected?.left !== props.selected?.left ||
      next.selected?.right !== props.selected?.right ||
      next.index !== props.index
    );
  }
  override render() {
    const { index, top, first, row, columns, head } = this.props;
    return (
      <div class="line" role="row" aria-rowindex={index + 2} style={{ top: `${top}px` }}>
        <div class="cell first" role="rowheader" aria-colindex={1} style={{ width: `${first}px` }}>
          {row?.row.toLocaleString('en') ?? ''}
        </div>
        {row || head !== undefined ? (
          columns.map((column) => <GridCell key={column.index} column={column} line={this.props} />)
        ) : (
          <Fetching first={first} />
        )}
      </div>
    );
  }
}

/** One cell in place of all: a quick scroll passes thousands of rows that are never fetched. */
function Fetching({ first }: { readonly first: number }) {
  return (
    <div
      class="cell loading"
      role="gridcell"
      aria-colindex={2}
      style={{ left: `${first}px`, width: '320px' }}
    />
  );
}

const STATES = {
  wrong: { class: 'wrong-cell', sign: '✕' },
  changed: { class: 'edited-cell', sign: '✎' },
} as const;

/** One cell. A wrong or changed one says so in words and by a sign too, for those who do not see its colour. */
function GridCell({
  column: { index: column, start, size },
  line,
}: {
  readonly column: WindowItem;
  readonly line: GridLineProps;
}) {
  const { index, row, selected, head, editing, onCommit, onCancel } = line;
  const text = row?.cells[column] ?? '';
  const state = row?.marks.includes(column) ? 'wrong' : row?.edited.includes(column) ? 'changed' : undefined;
  const isSelected = selected !== undefined && column >= selected.left && column <= selected.right;
  const classes = [
    'cell',
    ...(row ? [] : ['loading']),
    ...(state ? [STATES[state].class] : []),
    ...(row?.isDropped ? ['dropped'] : []),
    ...(isSelected ? ['selected'] : []),
  ];
  const isHead = head === column;
  return (
    <div
      class={classes.join(' ')}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      aria-description={row && describe(row, state)}
      data-place={`${index}:${column}`}
      tabIndex={isHead ? 0 : -1}
      title={text.length > 20 ? text.slice(0, 1000) : undefined}
      dir="auto"
      style={{ left: `${start}px`, width: `${size}px` }}
    >
      {isHead && editing !== undefined ? (
        <CellEditor text={editing} onCommit={onCommit} onCancel={onCancel} />
      ) : (
        <>
          {state ? (
            <span class="sign" aria-hidden="true">
              {STATES[state].sign}
            </span>
          ) : null}
          {row ? text : '\u00a0'}
        </>
      )}
    </div>
  );
}

/** A row without a wrong cell has its reason at each cell, since it would be nowhere else. */
function describe(
  { isDropped, marks, message }: GridRow,
  state: keyof typeof STATES | undefined,
): string | undefined {
  const parts = [
    ...(isDropped ? ['left out'] : []),
    ...(state === 'changed' ? ['changed'] : []),
    ...(state === 'wrong' || marks.length === 0 ? [message] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

interface CellEditorProps {
  readonly text: string;
  readonly onCommit: CommitEdit;
  readonly onCancel: () => void;
}

class CellEditor extends Component<CellEditorProps> {
  input = createRef<HTMLInputElement>();
  /** A blur follows each other end, and must not commit again. */
  isDone = false;
  override componentDidMount() {
    const { current } = this.input;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }
  end(work: () => void) {
    if (this.isDone) return;
    this.isDone = true;
    work();
  }
  commit(key: string) {
    const value = this.input.current?.value ?? '';
    this.end(() => this.props.onCommit(value, key));
  }
  override render() {
    return (
      <input
        ref={this.input}
        aria-label="New text"
        defaultValue={this.props.text}
        dir="auto"
        onKeyDown={(event) => {
          const { key, shiftKey, isComposing } = event;
          event.stopPropagation();
          if (isComposing) return;
          if (key === 'Escape') this.end(this.props.onCancel);
          if (key === 'Enter') this.commit(shiftKey ? 'ArrowUp' : 'ArrowDown');
          if (key !== 'Tab') return;
          event.preventDefault();
          this.commit(shiftKey ? 'ArrowLeft' : 'ArrowRight');
        }}
        onBlur={() => this.commit('')}
      />
    );
  }
}
