import type { TableFormat } from '../../write/index.ts';
import type { CleanTextOptions } from '../cleaning/clean-texts.ts';
import type { RunOptions } from '../run/options.ts';

export interface CleanOptions extends RunOptions, Omit<CleanTextOptions, 'format' | 'rejectsCsv'> {
  /** Format of `out`. Left out, its name says it. */
  readonly format?: TableFormat | undefined;
  /** Name of the file; undefined for standard output. */
  readonly out?: string | undefined;
  /** Needed without a file. */
  readonly stdout?: NodeJS.WritableStream | undefined;
  /** CSV file for the rows of rejected records, with reasons. Default: `rejects.csv` where a run would have its reports, if there are any. */
  readonly rejects?: string | undefined;
  /** File for a page about the clean-up; undefined for none. */
  readonly page?: string | undefined;
  /** True if that page must have no rows, keys or cells. */
  readonly pageWithoutRows?: boolean | undefined;
}
