/**
 * Error in the command, its configuration, a file or a mapping. Nothing was sent. Exit code 2.
 * The message says what to change. `hints` are further lines: the nearest names, or the next command.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly hints: readonly string[];
  /** Machine-readable reason, for scripts that handle this case. */
  readonly reason: ConfigReason | undefined;
  constructor(message: string, hints: readonly string[] = [], reason?: ConfigReason) {
    super(message);
    this.hints = hints;
    this.reason = reason;
  }
}

/**
 * Error about a word that is not one of some names. The command line adds the nearest name to the message: it has the
 * library for that, and most commands never need it.
 */
export class MistypedError extends ConfigError {
  readonly word: string;
  /** Called once the error is shown. */
  readonly names: () => Iterable<string>;
  constructor(
    message: string,
    hints: readonly string[],
    { word, names }: { readonly word: string; readonly names: () => Iterable<string> },
  ) {
    super(message, hints);
    this.word = word;
    this.names = names;
  }
}

/**
 * `in-use`: another process holds the store, the export or the data file; the same command works later.
 * `no-mapping`: no mapping knows the columns of the file; one can be suggested.
 * `ledger-damaged`: a file of the ledger is missing, or differs from what was last written.
 * `pruned`: the records of the run are no longer in the ledger.
 */
export type ConfigReason = 'in-use' | 'ledger-damaged' | 'no-mapping' | 'pruned';

/** Reason that a run stopped early. */
export type StopReason =
  | 'interrupted'
  | 'crashed'
  | 'too-many-errors'
  | 'same-refusal'
  | 'credentials-refused'
  | 'store-unreachable'
  | 'not-the-api'
  | 'ledger-failed'
  | 'lease-lost'
  | 'restored'
  | 'output-failed'
  | 'temporary-file-failed'
  | 'source-failed'
  | 'source-changed'
  | 'internal-error';

/** Reasons after which the ledger takes nothing more of a run, not even its end. The next holder of the store settles it. */
export const LEDGER_STOPS: ReadonlySet<StopReason> = new Set(['ledger-failed', 'lease-lost', 'restored']);

/**
 * Error that stops the run and is not due to a single record. Exit code 3 (130 for `interrupted`).
 * The ledger is consistent: recorded outcomes remain valid.
 */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: StopReason;
  readonly hints: readonly string[];
  constructor(reason: StopReason, message: string, hints: readonly string[] = []) {
    super(message);
    this.reason = reason;
    this.hints = hints;
  }
}
