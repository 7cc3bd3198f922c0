/**
 * The command, its configuration, a file or a mapping is wrong; nothing was sent. Exit code 2.
 * The message says what to change; `hints` are further lines (nearest names, the command to run next).
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly hints: readonly string[];
  /** For scripts that go on otherwise in this case. */
  readonly reason: ConfigReason | undefined;
  constructor(message: string, hints: readonly string[] = [], reason?: ConfigReason) {
    super(message);
    this.hints = hints;
    this.reason = reason;
  }
}

/**
 * `in-use`: another process works with the store, the export or the data file; the same command works later.
 * `ledger-damaged`: a file of the ledger is missing, or is not what was written last.
 */
export type ConfigReason = 'in-use' | 'ledger-damaged';

/** Why a run stopped early. */
export type StopReason =
  | 'interrupted'
  | 'crashed'
  | 'too-many-errors'
  | 'same-refusal'
  | 'credentials-refused'
  | 'store-unreachable'
  | 'not-the-api'
  | 'ledger-failed'
  | 'output-failed'
  | 'temporary-file-failed'
  | 'source-failed'
  | 'source-changed'
  | 'internal-error';

/**
 * The run cannot go on, through no fault of one record. Exit code 3 (130 for `interrupted`).
 * The ledger is consistent: what was settled stays settled.
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
