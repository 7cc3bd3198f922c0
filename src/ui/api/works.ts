import type { ApiFailure } from '../../http/api.ts';

// Works: files that are being worked on. Their state is kept by the server, so a reload shows the same.

/** POST /works. The file must be below the folder of the server. Answers WorkView. */
export interface OpenWork {
  readonly path: string;
}
// PUT /uploads?name=shop.csv with the bytes as the body: the same for a file that was dropped on the page.

export interface WorkLine {
  readonly id: string;
  /** Name of the file, without its folders. */
  readonly name: string;
  readonly path: string;
  readonly resource: string | null;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** GET /works/:id */
export interface WorkView extends WorkLine {
  /** Names this state. A change that names an earlier one is refused, since another tab may have changed it. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly choice: ReadingChoice;
  /** Undefined if the file cannot be read; then `failure` says why. */
  readonly found?: FoundFile;
  readonly failure?: ApiFailure['error'];
  /** Null if there is no mapping yet. */
  readonly mapping: MappingOrigin | null;
  /** Presets that read such files or could be tried, the recognised one first. */
  readonly presets: readonly { readonly name: string; readonly title: string; readonly fits: boolean }[];
}

/**
 * POST /works/:id/command: the command line that does the same as a screen. Answers CommandView. The mapping is written into its
 * file first, so that the command runs.
 */
export type WorkCommand =
  /** `record`: show only this one, counted from 0. */
  | { readonly does: 'check'; readonly record?: number }
  | ({ readonly does: 'import'; readonly store: string } & ImportChoice);

export interface CommandView {
  readonly command: string;
}

/** Options of an import. What is left out has its default. */
export interface ImportChoice {
  readonly mode?: 'create' | 'update' | 'upsert';
  /** Send these first, then ask. */
  readonly canary?: number;
  readonly limit?: number;
  readonly rate?: number;
}

/** How the user wants the file to be read. What is undefined is detected. */
export interface ReadingChoice {
  readonly format?: 'csv' | 'tsv' | 'json' | 'ndjson' | 'xlsx';
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly sheet?: string;
  readonly skipLines?: number;
  readonly noHeader?: boolean;
  readonly padRows?: boolean;
}

/** How a file was read. */
export interface FoundFile {
  readonly format: 'csv' | 'json' | 'ndjson' | 'xlsx';
  readonly packed?: 'gzip';
  readonly encoding: string;
  /** True if the encoding was guessed from the letters of the text. */
  readonly isGuessed: boolean;
  /** True if only the beginning was read, and all of it is ASCII: a letter further down may show another encoding. */
  readonly isUndecided: boolean;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly sheet?: string;
  readonly otherSheets: readonly string[];
  /** Lines above the header that are left out. */
  readonly skippedLines: number;
  readonly columns: readonly string[];
  /** Rows of the whole file, estimated from its beginning; exact if the beginning is all. */
  readonly rows: { readonly count: number; readonly isExact: boolean };
  /** The first rows, at most 50. */
  readonly head: readonly HeadRow[];
  /** Rows of the sample that cannot be read as the header says, with the reason; at most 20. */
  readonly faulty: readonly { readonly row: number; readonly message: string }[];
  /** All such rows of the sample. */
  readonly faultyCount: number;
  /** Warnings about the file: garbled names of columns, lists that are not read. */
  readonly warnings: readonly string[];
}

export interface HeadRow {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly cells: readonly string[];
}

export interface MappingOrigin {
  readonly kind: 'preset' | 'suggestion' | 'file';
  /** Name of the preset or the file. */
  readonly name: string;
  readonly title: string;
  /** True if the user changed it. */
  readonly isChanged: boolean;
}

/** PATCH /works/:id[?version=V]. Answers WorkView; 409 if the work is of another version. A new way of reading or a new resource makes a new mapping. */
export interface ChangeWork {
  readonly choice?: ReadingChoice;
  readonly resource?: string;
  /** `suggestion`, `preset:NAME`, or `file:PATH`. */
  readonly mapping?: string;
}
// DELETE /works/:id removes it from the list; the file stays.
