/** A cell that a person should look at. */
export interface CellMark {
  /** From 0. */
  readonly column: number;
  /** The reason, as a note at the cell; undefined if the colour is enough. */
  readonly note?: string | undefined;
}

export interface MarkedRow {
  readonly cells: readonly string[];
  readonly marks?: readonly CellMark[] | undefined;
}

export interface WorkbookOptions {
  /** Name of the sheet: at most 31 characters, none of `[]:*?/\`. */
  readonly sheet: string;
  readonly header: readonly string[];
  /** Notes at the header. At least one: a workbook without notes would need other parts. */
  readonly headerNotes: readonly CellMark[];
  /** Index of the first column that no person edits, which is grey. */
  readonly ownFrom: number;
}

/** A workbook of one sheet that takes rows in batches and appears whole or not at all. Each call must be awaited. */
export interface WorkbookFile {
  write(rows: readonly MarkedRow[]): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** Limits of Excel. The header is a row. */
export const SHEET_LIMITS = { rows: 1_048_576, columns: 16_384, cellLength: 32_767 } as const;
