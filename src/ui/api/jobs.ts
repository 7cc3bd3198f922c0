import type { ApiFailure } from '../../http/api.ts';
import type { ExportChoice } from './exports.ts';
import type { ImportChoice } from './works.ts';

// Jobs: commands that take a while. One at a time.

/** POST /jobs. Answers JobView at once; GET /jobs/:id/events follows it. */
export type StartJob =
  /** `limit`: only the first records. */
  | { readonly kind: 'check'; readonly work: string; readonly store?: string; readonly limit?: number }
  | ({
      readonly kind: 'import';
      readonly work: string;
      /** Version of the WorkView that the user has seen the plan of. */
      readonly version?: string;
      /** Id of a StoreView. */
      readonly store: string;
      /** The user said yes to this address. It must be that of the store. Not needed for the sandbox. */
      readonly agreed?: string;
    } & ImportChoice)
  | {
      readonly kind: 'resume' | 'retry' | 'undo' | 'ask-store';
      readonly run: string;
      readonly agreed: string;
    }
  /** Checks, or sends, the rows that were corrected in the grid. */
  | { readonly kind: 'check-fixes'; readonly run: string; readonly store: string }
  | { readonly kind: 'send-fixes'; readonly run: string; readonly store: string; readonly agreed?: string }
  | { readonly kind: 'auth-check'; readonly store: string }
  | ({ readonly kind: 'export' } & ExportChoice & {
        /** Below the folder of the server. */
        readonly out: string;
        readonly replace?: boolean;
      });

export type JobKind = StartJob['kind'];

/** Jobs that can be paused: they send records one by one. An export reads pages in a row, and a check sends nothing. */
export const PAUSABLE_JOBS: readonly JobKind[] = ['import', 'resume', 'retry', 'undo', 'send-fixes'];

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
  /** Id of the StoreView that it was started with, and the limit, if it has them. */
  readonly storeId?: string;
  readonly limit?: number;
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
