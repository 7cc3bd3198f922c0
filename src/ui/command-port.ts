import type { AnswerCounts, JsonObject } from '../model/index.ts';
import type { ExitCodeOf } from '../pipeline/index.ts';
import type { Resource } from '../resources/index.ts';
import type { StoreView } from './api/index.ts';

/**
 * The commands of storeport, as the command line runs them. The server runs whole commands, by their words, so that a page
 * and a command line cannot do different things. `cli` implements it, since it knows settings, profiles and exit codes.
 */
export interface CommandPort {
  /** Runs one command. Never throws: failures are in the result. `words`: without the name of the program. */
  run(words: readonly string[], watch: CommandWatch): Promise<CommandEnd>;
  /** The stores that the settings name, with the sandbox first. */
  stores(): Promise<readonly StoreView[]>;
  /** The command line that does the same as these words, to be copied into a shell in the working directory. */
  commandLine(words: readonly string[]): string;
  /** Options that choose a store, such as `--profile shop`. Throws ConfigError if there is no such store. */
  storeWords(store: string): Promise<readonly string[]>;
  /** The resources of a store: its `api:` section may differ from the API document. */
  resources(store?: string): Promise<readonly Resource[]>;
  /** The sentence that the help has for an exit code. */
  meaningOf(exitCode: number): string;
  /** Exit code of a run with these outcomes. */
  readonly exitCodeOf: ExitCodeOf;
  /** Hides the secrets of all commands so far. For texts about bugs: those of commands are masked. */
  readonly mask: (text: string) => string;
  readonly version: string;
}

/** Follows a command, and can hold or stop it. */
export interface CommandWatch {
  /** Aborted: nothing new is begun, and requests in flight may be answered. */
  readonly stopped: AbortSignal;
  /** The pause that is in force; undefined if there is none. Asked before every request that sends a record. */
  readonly pause?: () => CommandPause | undefined;
  readonly message?: (kind: 'note' | 'warning' | 'error', text: string) => void;
  /** Called when a run has its id. */
  readonly began?: (run: string, store: string | null) => void;
  /** Called when more is known about the command. Its functions may be called until the command ends. */
  readonly follow?: (live: LiveCommand) => void;
  /** Asks whether to send the rest after the canary. Left out, the answer is no. */
  readonly ask?: (question: CommandQuestion) => Promise<boolean>;
  /** Asks for a secret that the settings do not have; undefined if none is given. */
  readonly askSecret?: (question: string) => Promise<string | undefined>;
}

export interface CommandPause {
  readonly forMs: number;
  /** Resolves when sending may continue. */
  readonly end: Promise<void>;
}

export interface CommandQuestion {
  readonly text: string;
  /** The facts to decide by. */
  readonly lines: readonly string[];
}

/** State of a running command. Each part is undefined until it is known. */
export interface LiveCommand {
  readonly progress?: LiveProgress | undefined;
  readonly client?: LiveClient | undefined;
}

export interface LiveProgress {
  /** Records that have their outcome, or items that were read. */
  readonly records: () => number;
  /** The part of the work that is done, 0 to 1. */
  readonly part: () => number | undefined;
  readonly total?: () => number | null;
  /** Records that earlier executions of the run settled; `part` counts them as done. Default: none. */
  readonly before?: number;
  readonly outcomes: () => Readonly<Record<string, number>>;
}

export interface LiveClient {
  readonly answers?: () => AnswerCounts;
  /** Requests a second that the store takes. */
  readonly learnedRate?: () => number | undefined;
  /** `what` completes "waiting for …". */
  readonly waiting?: () => { readonly what: string; readonly forMs: number } | undefined;
}

export interface CommandEnd {
  readonly exitCode: number;
  /** The object that `--json` prints. */
  readonly result?: JsonObject | undefined;
  readonly failure?: { readonly message: string; readonly hints: readonly string[] } | undefined;
}
