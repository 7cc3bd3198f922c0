/**
 * The HTTP API between the server of `storeport ui` and its page. Both import these types, so they cannot differ.
 * docs/ui-api.md describes the same for people. All addresses begin with `API_BASE`; bodies and answers are JSON.
 */

/** Raised with every change that an open page of an earlier version would not understand. */
export const API_VERSION = 1;
export const API_BASE = '/api/v1';

/** The answer to a request that failed, with a status of 400 or above. */
export interface ApiFailure {
  readonly error: {
    /** The event, and its reason if known. */
    readonly message: string;
    /** Next steps; each is a sentence. */
    readonly hints: readonly string[];
  };
}

// GET /start

/** Everything that the first screen shows. */
export interface StartView {
  readonly version: string;
  readonly apiVersion: number;
  /** Folder below which files are opened and written. */
  readonly folder: string;
  readonly home: string;
  readonly resources: readonly ResourceView[];
  /** The sandbox first, then the store of the environment, then the profiles. */
  readonly stores: readonly StoreView[];
  /** Files that were opened before, the latest first. */
  readonly works: readonly WorkLine[];
  /** The latest runs, at most ten. */
  readonly runs: readonly RunLine[];
  /** Files that were exported from the page, the latest first. */
  readonly exports: readonly ExportLine[];
  /** The job in progress, or else the latest one of this process. */
  readonly job: JobView | null;
}

export interface ResourceView {
  /** Plural, as on the command line. */
  readonly name: string;
  readonly singular: string;
  readonly canImport: boolean;
  readonly canExport: boolean;
  /** Names that an export can filter by. */
  readonly filters: readonly string[];
  /** Columns of its native CSV. */
  readonly columns: readonly string[];
}

export interface StoreView {
  /** `sandbox`, `environment`, or `profile:NAME`. */
  readonly id: string;
  readonly title: string;
  /** Base URL; null for the sandbox, and if the settings are incomplete. */
  readonly address: string | null;
  /** Why it cannot be used, if it cannot. */
  readonly problem?: string;
  /** Requests a second that it took in an earlier run; left out if that is not known. */
  readonly rate?: number;
}

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
  readonly sizeBytes: number;
  readonly choice: ReadingChoice;
  /** Undefined if the file cannot be read; then `failure` says why. */
  readonly found?: FoundFile;
  readonly failure?: ApiFailure['error'];
  /** Null if there is no mapping yet. */
  readonly mapping: MappingOrigin | null;
  /** Presets that read such files or could be tried, the recognised one first. */
  readonly presets: readonly { readonly name: string; readonly title: string; readonly fits: boolean }[];
  /** Command lines that do the same. */
  readonly commands: { readonly check: string; readonly import: string };
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
  readonly delimiter?: string;
  readonly quote?: string;
  readonly sheet?: string;
  readonly otherSheets: readonly string[];
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

/** PATCH /works/:id. Answers WorkView. A new way of reading or a new resource makes a new mapping. */
export interface ChangeWork {
  readonly choice?: ReadingChoice;
  readonly resource?: string;
  /** `suggestion`, `preset:NAME`, or `file:PATH`. */
  readonly mapping?: string;
}
// DELETE /works/:id removes it from the list; the file stays.

// GET /works/:id/mapping

/** The mapping beside the columns of its file. */
export interface MappingView {
  /** The mapping as it is written into a file. */
  readonly text: string;
  readonly resource: string;
  readonly origin: MappingOrigin;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Faults that keep it from being used, each with its line if known. */
  readonly faults: readonly string[];
  /** Fields of the resource, the required ones first, then by group. */
  readonly fields: readonly FieldView[];
  readonly columns: readonly ColumnView[];
  /** Required fields without a rule. */
  readonly missing: readonly string[];
  /** Columns with cells that no rule reads. */
  readonly unused: readonly string[];
  /** Columns whose equal cells make rows one record; empty if each row is a record. */
  readonly groupBy: readonly string[];
  /** Records of the sample, and how many of them are valid. */
  readonly sample: { readonly records: number; readonly valid: number };
  /** File that it was last written to; null if none. */
  readonly savedAs: string | null;
  /** The file above is older than this mapping. */
  readonly isUnsaved: boolean;
}

export interface FieldView {
  /** Dotted path, such as `price.salePrice`. */
  readonly path: string;
  readonly type: 'text' | 'number' | 'yes or no' | 'choice' | 'list' | 'object' | 'anything';
  /** The possible values of a choice. */
  readonly values?: readonly string[];
  readonly isRequired: boolean;
  /** First step of the path; '' for fields at the top. */
  readonly group: string;
  /** One sentence of the API document, if there is one. */
  readonly description?: string;
  /** Null if the mapping does not set it. */
  readonly rule: RuleView | null;
  /** Values of the first records of the sample that have one, as JSON; at most three. */
  readonly samples: readonly string[];
  /** Records of the sample with an issue in this field, and the first message. */
  readonly issues: { readonly count: number; readonly example?: string };
  /** Left out if a person or a preset chose the rule. */
  readonly confidence?: 'sure' | 'likely' | 'a guess';
  /** Why it was suggested, or why to look at it. */
  readonly reason?: string;
}

export interface RuleView {
  /** Columns that it reads. */
  readonly columns: readonly string[];
  /** `simple`: can be edited as SimpleRule. `other`: only as text. */
  readonly kind: 'simple' | 'constant' | 'other';
  /** The rule as YAML. */
  readonly text: string;
  readonly simple?: SimpleRule;
  readonly constant?: string | number | boolean;
}

/** A rule that can be chosen without writing YAML. What is left out does not apply. */
export interface SimpleRule {
  /** The first that is not empty is used. */
  readonly columns: readonly string[];
  /** How numbers are written: 1234.50, 1,234.50, 1.234,50, 1 234,50 or 1'234.50. */
  readonly number?: 'plain' | 'english' | 'german' | 'french' | 'swiss';
  /** The sign or code of a currency is taken away. */
  readonly currency?: boolean;
  /** Delimiter between the parts of a list. */
  readonly split?: string;
  /** Words of the cells and the values that they mean. */
  readonly words?: Readonly<Record<string, string | number | boolean>>;
  /** Value for empty cells. */
  readonly default?: string | number | boolean;
}

export interface ColumnView {
  readonly name: string;
  /** Part of the sample's cells that are not empty, 0 to 1. */
  readonly filled: number;
  /** Different cells of the sample, at most three, each cut to 200 characters. */
  readonly samples: readonly string[];
  readonly looksLike:
    | 'price'
    | 'number'
    | 'GTIN'
    | 'URL'
    | 'mail'
    | 'HTML'
    | 'date'
    | 'yes or no'
    | 'text'
    | 'empty';
  /** Paths of the fields that read it. */
  readonly fields: readonly string[];
  /** Fields that it may be meant for, the likeliest first, with the reason. */
  readonly suggestions: readonly {
    readonly field: string;
    readonly confidence: 'sure' | 'likely' | 'a guess';
    readonly reason: string;
  }[];
}

/** POST /works/:id/mapping. Answers MappingView. */
export type MappingEdit =
  | { readonly op: 'set'; readonly field: string; readonly rule: SimpleRule }
  | { readonly op: 'constant'; readonly field: string; readonly value: string | number | boolean }
  /** `text`: the rule as YAML. */
  | { readonly op: 'rule'; readonly field: string; readonly text: string }
  | { readonly op: 'remove'; readonly field: string }
  | { readonly op: 'group'; readonly by: readonly string[] }
  /** The whole mapping as YAML. */
  | { readonly op: 'text'; readonly text: string }
  | { readonly op: 'undo' }
  | { readonly op: 'redo' };

/** POST /works/:id/mapping/file: writes the mapping. Answers MappingView. */
export interface SaveMapping {
  /** Below the folder of the server; ends in .yaml or .yml. */
  readonly path: string;
  /** Replaces a file that exists. Without it, that is a failure. */
  readonly replace?: boolean;
}

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

// Jobs: commands that take a while. One at a time.

/** POST /jobs. Answers JobView at once; GET /jobs/:id/events follows it. */
export type StartJob =
  /** `limit`: only the first records. */
  | { readonly kind: 'check'; readonly work: string; readonly store?: string; readonly limit?: number }
  | {
      readonly kind: 'import';
      readonly work: string;
      /** Id of a StoreView. */
      readonly store: string;
      /** The user said yes to this address. It must be that of the store. Not needed for the sandbox. */
      readonly agreed?: string;
      readonly mode?: 'create' | 'update' | 'upsert';
      /** Send these first, then ask. */
      readonly canary?: number;
      readonly limit?: number;
      readonly rate?: number;
    }
  | {
      readonly kind: 'resume' | 'retry' | 'undo' | 'ask-store';
      readonly run: string;
      readonly agreed: string;
    }
  /** Checks, or sends, the rows that were corrected in the grid. */
  | { readonly kind: 'check-fixes'; readonly run: string }
  | { readonly kind: 'send-fixes'; readonly run: string; readonly store: string; readonly agreed?: string }
  | { readonly kind: 'auth-check'; readonly store: string }
  | ({ readonly kind: 'export' } & ExportChoice & {
        /** Below the folder of the server. */
        readonly out: string;
        readonly replace?: boolean;
      });

export type JobKind = StartJob['kind'];

/** GET /jobs/:id. Also each event of GET /jobs/:id/events (server-sent events named `job`, at most four a second). */
export interface JobView {
  readonly id: string;
  readonly kind: JobKind;
  /** `Import products.csv into shop.example.com`. */
  readonly title: string;
  /** Id of the work that it is about, if it is about one. */
  readonly work?: string;
  /** The command line that does the same. */
  readonly command: string;
  readonly state: 'running' | 'paused' | 'asking' | 'stopping' | 'ended';
  readonly startedAt: string;
  /** Milliseconds so far, or in all. */
  readonly elapsedMs: number;
  /** Id of the run, once it has one. */
  readonly run?: string;
  readonly store?: string;
  readonly progress: ProgressView | null;
  /** The last 200 messages, the oldest first. */
  readonly log: readonly LogLine[];
  /** Only while `asking`. */
  readonly question?: {
    readonly text: string;
    /** The facts to decide by. */
    readonly lines: readonly string[];
    /** The answer is a secret, such as the client secret of a store. */
    readonly isSecret?: true;
  };
  /** Only when `ended`. */
  readonly end?: JobEnd;
}

export interface LogLine {
  /** Counts up from 1. */
  readonly n: number;
  readonly at: string;
  readonly kind: 'note' | 'warning' | 'error';
  readonly text: string;
}

export interface JobEnd {
  readonly exitCode: number;
  /** Meaning of the exit code, a sentence. */
  readonly meaning: string;
  /** The command's JSON result: `summary.json` of a run, or the summary of an export. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly failure?: ApiFailure['error'];
}

/** How far a job is. What is unknown is null. */
export interface ProgressView {
  /** 0 to 1. */
  readonly part: number | null;
  /** Records, or items of an export. */
  readonly records: number;
  readonly total: number | null;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly perSecond: number;
  readonly secondsLeft: number | null;
  /** Requests a second that the store takes. */
  readonly rate: number | null;
  /** Milliseconds, of the last minute. */
  readonly answers: { readonly median: number; readonly slowest: number } | null;
  readonly refused: number;
  readonly faults: number;
  /** The reason of a wait and the next step, in words; how long it has lasted. */
  readonly waiting: { readonly text: string; readonly forMs: number } | null;
  /** The last minutes, the oldest first, at most 240 points. */
  readonly points: readonly ProgressPoint[];
  readonly pointMs: number;
}

export interface ProgressPoint {
  readonly records: number;
  readonly answers: number;
  readonly refused: number;
  readonly faults: number;
  readonly waitedMs: number;
  readonly rate: number | null;
  readonly medianMs: number | null;
}

/** POST /jobs/:id/control. Answers JobView. */
export interface ControlJob {
  readonly action: 'pause' | 'continue' | 'stop' | 'yes' | 'no';
  /** With `yes`: the answer to a question for a secret. It is kept in memory only, and shown nowhere. */
  readonly secret?: string;
}

// GET /runs?from=0&count=50

export interface RunsView {
  readonly total: number;
  readonly runs: readonly RunLine[];
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
  readonly files_in_out: readonly string[];
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

// GET /runs/:run/rows?from=0&count=100[&cause=N]

/** Rows of a run that did not arrive, with the corrections so far. */
export interface FixRowsView {
  readonly columns: readonly string[];
  /** All rows of this cause, or of all. */
  readonly total: number;
  readonly causes: readonly CauseView[];
  readonly rows: readonly FixRow[];
  /** Rows with corrections, of all causes. */
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
  readonly message: string;
  /** Indexes of the columns that are wrong. */
  readonly marks: readonly number[];
  /** Indexes of the columns that were corrected; `cells` has the new text. */
  readonly edited: readonly number[];
  /** Left out of the next import by the user. */
  readonly isDropped: boolean;
}

/** POST /runs/:run/rows. Answers FixesView. */
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
  readonly corrected: number;
  /** Cells that this edit changed. */
  readonly changed: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

// GET /runs/:run/doubts

export interface DoubtsView {
  readonly total: number;
  /** The first 1,000. */
  readonly doubts: readonly DoubtView[];
  /** True if the list of the store can be asked. */
  readonly canAsk: boolean;
}

export interface DoubtView {
  readonly row: number;
  readonly file?: string;
  readonly key: string;
  /** Why it is in doubt, such as `crash` or `no-answer`. */
  readonly code: string;
}

/** POST /runs/:run/doubts. Answers DoubtsView. Records that are not there are sent by a retry. */
export interface SettleDoubts {
  readonly answers: readonly {
    readonly row: number;
    readonly file?: string;
    readonly key: string;
    /** The identifier in the store, or null: it is not there. */
    readonly id: string | null;
  }[];
}

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
