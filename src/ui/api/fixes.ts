// GET /runs/:run/rows?from=0&count=100[&cause=N]

/** Rows of a run that did not arrive, with the corrections so far. */
export interface FixRowsView {
  /** Names this state of the corrections. An edit that names an earlier one is refused with 409. */
  readonly version: string;
  readonly columns: readonly string[];
  /** All rows of this cause, or of all. */
  readonly total: number;
  readonly causes: readonly CauseView[];
  /** Fewer than wanted if their texts are long: the rest can be asked for. */
  readonly rows: readonly FixRow[];
  /** Rows with corrections that can be sent, of all causes. */
  readonly corrected: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface CauseView {
  readonly cause: number;
  readonly outcome: string;
  readonly code: string;
  readonly field: string;
  readonly example: string;
  readonly rows: number;
}

export interface FixRow {
  /** Place among all returned rows, from 0: names the row in an edit. */
  readonly index: number;
  /** As a spreadsheet numbers it in the source. */
  readonly row: number;
  readonly cells: readonly string[];
  readonly cause: number;
  /** Why it is here, or why the latest check refused it. */
  readonly message: string;
  /** The latest check found nothing wrong in its record, and its cells are the same. */
  readonly fits: boolean;
  /** Indexes of the columns that are wrong: as the run found them, or the latest check. */
  readonly marks: readonly number[];
  /** Indexes of the other columns that were corrected; `cells` has the new text. */
  readonly edited: readonly number[];
  /** Left out of the next import by the user. */
  readonly isDropped: boolean;
  /** Not sent, whatever was corrected, since cells without a column are left. They are in the column `storeport_surplus`. */
  readonly isHeld: boolean;
}

/** POST /runs/:run/rows[?version=V]. Answers FixesView. */
export type FixRows =
  | {
      readonly op: 'set';
      readonly cells: readonly { readonly index: number; readonly column: number; readonly text: string }[];
    }
  /** In one column of all rows, or of the rows with a cause. An empty `find` matches empty cells. */
  | {
      readonly op: 'replace';
      readonly column: number;
      readonly find: string;
      readonly text: string;
      readonly cause?: number;
    }
  | { readonly op: 'drop' | 'keep'; readonly rows: readonly number[] }
  | { readonly op: 'undo' }
  | { readonly op: 'redo' };

export interface FixesView {
  readonly version: string;
  readonly corrected: number;
  /** Cells that this edit changed. */
  readonly changed: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}
