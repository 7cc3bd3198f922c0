// GET /works/:id/records?from=0&count=1[&key=…][&issues=1]

/** Records as they would be sent, beside their cells. */
export interface RecordsView {
  readonly records: readonly RecordView[];
  /** Number of the record to go on from; null after the last one. If none was found, the search took too long. */
  readonly next: number | null;
}

export interface RecordView {
  /** Number in the source, from 0. */
  readonly index: number;
  readonly key: string;
  readonly rows: readonly { readonly row: number; readonly cells: Readonly<Record<string, unknown>> }[];
  readonly payload: Readonly<Record<string, unknown>>;
  readonly issues: readonly RecordIssue[];
  /** Which field comes from which columns. */
  readonly links: readonly { readonly field: string; readonly columns: readonly string[] }[];
}

export interface RecordIssue {
  readonly row?: number;
  readonly column?: string;
  readonly field?: string;
  readonly code: string;
  readonly message: string;
}
