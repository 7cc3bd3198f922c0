import { cornersOf, type GridPlace, type GridRange, moved } from './selection.ts';

/** The keys of the grid, as actions. */
export interface GridActions {
  readonly go: (to: GridPlace, isRange: boolean) => void;
  readonly selectAll: () => void;
  /** Begins an edit: with the text of the cell, or with a typed letter. */
  readonly edit: (typed?: string) => void;
  readonly empty: () => void;
  readonly fillDown: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Makes the column of the keyboard wider or narrower. */
  readonly widen: (pixels: number) => void;
}

interface GridKeysOptions {
  readonly range: GridRange;
  readonly rows: number;
  readonly columns: number;
  /** Rows in sight. */
  readonly page: number;
  readonly actions: GridActions;
}

/** Pixels by which a key changes the width of a column. */
const WIDEN_PX = 24;

/** The action of a key in a grid in which no cell is being edited; undefined if the browser should have the key. */
export function gridAction(event: KeyboardEvent, options: GridKeysOptions): (() => void) | undefined {
  const { range, rows, columns, page, actions } = options;
  const { key, shiftKey, altKey } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (altKey && shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight'))
    return () => actions.widen(key === 'ArrowLeft' ? -WIDEN_PX : WIDEN_PX);
  if (altKey) return undefined;
  const to = moved(range.head, key, { rows, columns }, { isFar: isControl, page });
  if (to) return () => actions.go(to, shiftKey);
  if (isControl) return controlAction(key.toLowerCase(), shiftKey, actions);
  if (key === 'Enter' || key === 'F2') return () => actions.edit();
  if (key === 'Delete' || key === 'Backspace') return actions.empty;
  if (key === 'Escape' && !isOne(range)) return () => actions.go(range.head, false);
  return key.length === 1 ? () => actions.edit(key) : undefined;
}

function controlAction(key: string, isShift: boolean, actions: GridActions): (() => void) | undefined {
  if (key === 'z') return isShift ? actions.redo : actions.undo;
  if (key === 'y') return actions.redo;
  if (key === 'd') return actions.fillDown;
  return key === 'a' ? actions.selectAll : undefined;
}

function isOne(range: GridRange): boolean {
  const { top, bottom, left, right } = cornersOf(range);
  return top === bottom && left === right;
}
