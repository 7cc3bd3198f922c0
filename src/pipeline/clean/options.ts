import type { RunOptions } from '../run/options.ts';
import type { CleanTableOptions } from './output.ts';

export interface CleanOptions extends RunOptions, CleanTableOptions {
  /** File for the rows of rejected records, with reasons. If undefined, they are only counted. */
  readonly rejects?: string | undefined;
  /** Writes the source's own columns in place of the native form. */
  readonly keepColumns: boolean;
  /** File for a page about the clean-up; undefined for none. */
  readonly page?: string | undefined;
  /** True if that page must have no rows, keys or cells. */
  readonly pageWithoutRows?: boolean | undefined;
}
