/**
 * Thrown for a data file that cannot be used: it is damaged, in use by another sandbox, or refused by the system. The
 * file is not changed. The message has the file and the line.
 */
export class DataFileError extends Error {
  /** True if another sandbox uses the file. */
  readonly inUse: boolean;
  constructor(message: string, { inUse = false } = {}) {
    super(message);
    this.inUse = inUse;
  }
}
