/**
 * A data file that cannot be used: it is damaged, another sandbox has it, or the system refuses it. It is left as it
 * is. The message names file and line.
 */
export class DataFileError extends Error {
  /** Another sandbox has it. */
  readonly inUse: boolean;
  constructor(message: string, { inUse = false } = {}) {
    super(message);
    this.inUse = inUse;
  }
}
