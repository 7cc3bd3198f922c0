// Exports

export interface ExportChoice {
  readonly resource: string;
  readonly store: string;
  readonly format: 'csv' | 'json' | 'ndjson';
  /** `name=value`. */
  readonly filters?: readonly string[];
  /** A date, or an age such as `7d`. */
  readonly since?: string;
  /** Dotted paths; left out, the native columns. */
  readonly columns?: readonly string[];
  readonly limit?: number;
  readonly incremental?: boolean;
}

/** POST /exports/preview with an ExportChoice: the first items, as they would be written. */
export interface ExportPreview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Items in the store; null if it does not say. */
  readonly total: number | null;
}

/** POST /exports/command with an ExportChoice and the name of the file. No store is asked. */
export interface ExportCommand {
  readonly command: string;
  /** The same as a line for cron, every night. */
  readonly cron: string;
}

export interface ExportLine {
  readonly file: string;
  readonly resource: string;
  readonly store: string;
  readonly items: number;
  readonly at: string;
  /** False if the file is gone. */
  readonly exists: boolean;
}
