// GET /runs?from=0&count=50

export interface RunsView {
  readonly total: number;
  readonly runs: readonly RunLine[];
  /** The command line that lists them. */
  readonly command: string;
}

export interface RunLine {
  readonly run: string;
  readonly state: 'running' | 'done' | 'stopped';
  readonly stopped: string | null;
  readonly resource: string;
  readonly mode: string;
  readonly store: string;
  readonly files: readonly string[];
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly startedAt: string;
}

/** GET /runs/:run */
export interface RunView extends RunLine {
  /** `1,240 of 1,243 products arrived in shop.example.com; 3 rows need you.` */
  readonly sentence: string;
  readonly durationMs: number;
  readonly mapping: string;
  readonly out: string;
  /** Names of the files in `out` that exist. GET /runs/:run/files/:name has each, report.html to be shown. */
  readonly reportFiles: readonly string[];
  /** The command line that writes them again. */
  readonly reportCommand: string;
  readonly actions: readonly RunAction[];
  /** The next steps for a person, each a sentence. */
  readonly steps: readonly { readonly text: string; readonly command?: string }[];
  /** Rows that did not arrive. */
  readonly returned: number;
  readonly inDoubt: number;
}

/** An action that a run allows now. */
export interface RunAction {
  readonly kind: 'resume' | 'retry' | 'undo' | 'resolve' | 'fix';
  /** Run that a job must name. Differs from the shown run only where an undo is continued. */
  readonly run: string;
  readonly title: string;
  /** Its effect, a sentence. */
  readonly effect: string;
  readonly command: string;
}
