/**
 * The HTTP API between `storeport fleet serve` and its page. Both import these types, so they cannot differ.
 * docs/fleet-serve.md describes the same for people. Dates are ISO 8601 texts by Postgres's clock, and ages are
 * milliseconds.
 */

export { API_BASE, type ApiFailure } from '../../http/api.ts';

/** `viewer` looks; `operator` also stops, resumes and retries. */
export type FleetRole = 'viewer' | 'operator';

/** `GET /session` */
export interface SessionView {
  /** Null: not signed in. */
  readonly role: FleetRole | null;
  /** True if a token signs in. False: only the address that the command printed does. */
  readonly takesTokens: boolean;
  readonly version: string;
  /** The same lists on the command line. Null: not signed in. */
  readonly commands: { readonly stores: string; readonly schedules: string } | null;
}

/** `POST /session` */
export interface SignIn {
  readonly token: string;
}

export type TaskWord = 'queued' | 'running' | 'done' | 'stopped';

/** `GET /overview` */
export interface FleetView {
  /** When this was read. */
  readonly at: string;
  readonly tasks: {
    readonly queued: number;
    /** Queued tasks that are to begin later. */
    readonly later: number;
    readonly running: number;
    /** All that stopped before their end and were not continued. */
    readonly stopped: number;
    /** Done in the last 24 hours. */
    readonly doneOfDay: number;
  };
  /** Age of the queued task that has waited longest since it could begin; null if none waits. */
  readonly oldestWaitMs: number | null;
  readonly stopReasons: readonly { readonly reason: string; readonly tasks: number }[];
  readonly doubts: DoubtsOfFleet;
  readonly leases: {
    readonly held: number;
    /** Leases of workers that did not release them in time, and that nobody has taken yet. */
    readonly expired: number;
    /** Tasks in progress or queued that lost at least one lease. */
    readonly tasksThatLost: number;
    /** Leases that were taken after they had expired, since the stores were added. */
    readonly takeovers: number;
  };
  readonly rate: {
    /** Records a second of the tasks that run, as of their last report. */
    readonly recordsPerSecond: number;
    /** Answers a second that say "too many requests". */
    readonly refusedPerSecond: number;
  };
  /** Records of tasks that ended in the last 24 hours, by outcome. */
  readonly outcomesOfDay: Readonly<Record<string, number>>;
  readonly workers: readonly WorkerView[];
  readonly stores: number;
}

export interface DoubtsOfFleet {
  readonly records: number;
  /** Stores with records in doubt, those with most of them first; at most 20. */
  readonly stores: readonly {
    readonly store: string;
    readonly records: number;
    /** Until then a lost worker may still send some of them; null: none. */
    readonly until: string | null;
  }[];
}

export interface WorkerView {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly slots: number;
  /** Names of the stores whose leases it holds now. */
  readonly stores: readonly string[];
  readonly startedAt: string;
  readonly seenAt: string;
  readonly seenMs: number;
  /** `silent`: no sign of life for longer than a lease. */
  readonly state: 'working' | 'draining' | 'silent';
  /** The command that says that it is gone for sure; null unless it is silent. */
  readonly endedCommand: string | null;
}

/** `GET /tasks` */
export interface TasksView {
  /** Latest first. */
  readonly tasks: readonly TaskLine[];
  /** `before` of the next page; null if this is the last one. */
  readonly next: number | null;
  /** The same list on the command line, which has no filter by age or by command. */
  readonly command: string;
}

export interface TaskLine {
  readonly number: number;
  /** Also the id of its run, if it is an import. */
  readonly id: string;
  readonly store: string;
  readonly command: 'import' | 'export';
  readonly resource: string;
  readonly state: TaskWord;
  readonly next: 'begin' | 'resume' | 'retry';
  /** A user wants it to stop, and its worker has not ended it yet. */
  readonly isStopping: boolean;
  readonly schedule: string | null;
  readonly slot: string | null;
  readonly notBefore: string;
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly worker: string | null;
  readonly lost: number;
  readonly exitCode: number | null;
  readonly stopReason: string | null;
  readonly stopMessage: string | null;
  /** Its records by outcome; null until they are known. */
  readonly outcomes: Readonly<Record<string, number>> | null;
}

/** `POST /tasks/:id/stop` and others */
export type TaskAction = 'stop' | 'resume' | 'retry';

/** `GET /tasks/:id` */
export interface TaskPageView extends TaskLine {
  readonly storeUrl: string;
  readonly epoch: number | null;
  /** Files of an import, without credentials. */
  readonly files: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** The options as words of the command line, such as `--errors-as=xlsx`. */
  readonly optionWords: readonly string[];
  /** Time that its run has worked; null if unknown. */
  readonly workedMs: number | null;
  readonly artifacts: readonly FileOfTask[];
  /** Records in doubt as of now. */
  readonly doubts: number;
  /** The reasons of its incomplete records, the most frequent first; at most 20. */
  readonly problems: readonly TaskProblem[];
  /** How much was not read since it stopped early; null if all was, or nothing is known. */
  readonly unread: string | null;
  /** Next steps, the most urgent first, each with its command line if there is one. */
  readonly steps: readonly { readonly text: string; readonly command: string | null }[];
  /** Actions that lead on now, for operators. A retry is one only if it would send something. */
  readonly actions: readonly TaskAction[];
  /** Command line of each action, and of the answer to doubts. */
  readonly commands: readonly { readonly does: string; readonly command: string }[];
}

/** Records with the same problem. */
export interface TaskProblem {
  readonly outcome: string;
  readonly code: string;
  /** '' if it concerns no field. */
  readonly field: string;
  /** Number of records. */
  readonly count: number;
  /** Row and message of the first of them. */
  readonly row: number;
  readonly example: string;
}

export interface FileOfTask {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly at: string;
}

/** Answer to an action. */
export interface ChangedTaskView {
  readonly id: string;
  readonly state: TaskWord;
  /** False: in this state the task cannot be changed so. */
  readonly changed: boolean;
}

/** `GET /stores` */
export interface FleetStoreLine {
  readonly name: string;
  readonly baseUrl: string;
  readonly tags: readonly string[];
  /** The limit that it shares with other stores, in requests a second; null without one. */
  readonly shared: { readonly key: string; readonly perSecond: number | null } | null;
  /** False since a backup was restored, until somebody looked at its doubts. */
  readonly isReviewed: boolean;
  readonly worker: string | null;
  readonly queued: number;
  readonly running: number;
  readonly stopped: number;
  readonly doubts: number;
}

/** `GET /schedules` */
export interface ScheduleLine {
  readonly name: string;
  readonly cron: string;
  readonly zone: string;
  /** Each store begins at a moment of its own within this many seconds. */
  readonly spreadS: number;
  /** Which stores: all, names, or tag:NAME. */
  readonly stores: string;
  readonly command: 'import' | 'export';
  readonly resource: string;
  readonly isPaused: boolean;
  /** Null while it is paused. */
  readonly nextSlot: string | null;
  /** The moment of its latest tasks; null if it has made none. */
  readonly lastSlot: string | null;
  /** Tasks of that moment by state. */
  readonly lastTasks: Readonly<Partial<Record<TaskWord, number>>>;
  /** How many stores it selects now. */
  readonly selected: number;
  /** Names and tags in `stores` that no store has any more. */
  readonly gone: readonly string[];
  /** Why it could not begin when it last should; null since it did. */
  readonly trouble: { readonly message: string; readonly at: string } | null;
}

/** `GET /tasks/:id/doubts` */
export interface TaskDoubtsView {
  readonly total: number;
  /** The first 1,000. */
  readonly doubts: readonly {
    readonly row: number;
    readonly file?: string | undefined;
    readonly key: string;
    /** Why it is in doubt, such as `crash` or `no-answer`. */
    readonly code: string;
  }[];
  /** Until then a lost worker may still send them, so none can be said not to be there; null: no lost worker can. */
  readonly until: string | null;
  /** Those workers, with commas between; null: none. */
  readonly worker: string | null;
  /** The same, one by one. */
  readonly workers: readonly string[];
  /** For each of them, the command that says that it is gone for sure. */
  readonly endedCommands: readonly string[];
  /** The same list on the command line. */
  readonly command: string;
  /** Files of the task that have all of them. Empty if it has not ended since. */
  readonly files: readonly string[];
  /** Only after answers: records of later tasks that waited for them, and can be sent now. `run`: id of the task. */
  readonly released?: readonly { readonly run: string; readonly records: number }[];
}

/** `POST /tasks/:id/doubts`. Answers TaskDoubtsView. Records that are not there are sent by a retry. */
export interface SettleTaskDoubts {
  readonly answers: readonly {
    readonly row: number;
    readonly file?: string | undefined;
    readonly key: string;
    /** The identifier in the store, or null: it is not there. */
    readonly id: string | null;
  }[];
}
