import { resolve } from '../../model/files/fs.ts';
import { ConfigError, type Stopwatch, startStopwatch } from '../../model/index.ts';
import type { ListEndpoint, Resource } from '../../resources/index.ts';
import { type TableColumns, tableColumns } from './columns.ts';
import { type Filters, readFilters } from './filters.ts';
import type { ExportOptions, FormedExport } from './options.ts';
import { sinceMoment } from './since.ts';

/** The list to read, and the items of it that are wanted. */
export interface ListJob {
  readonly list: ListEndpoint;
  readonly filters: Filters;
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
}

/** A valid export command, with its options resolved. */
export interface ExportJob extends ListJob {
  readonly table: TableColumns;
  /** Absolute path of the file before a date is filled in. */
  readonly template: string | undefined;
  /** Name of the lock, since only one process may write this output at a time. */
  readonly lock: string | undefined;
  readonly stopwatch: Stopwatch;
}

/** Resolves the options of an export. Throws ConfigError if one is wrong. */
export function exportJob(options: FormedExport): ExportJob {
  const { resource, out, incremental } = options;
  const stopwatch = startStopwatch();
  const named = options.template ?? out;
  const template = named === undefined ? undefined : resolve(named);
  return {
    ...listJob(options, stopwatch.startedAt),
    table: tableColumns(options),
    template,
    lock: template ?? (incremental ? `${resource.name} on standard output` : undefined),
    stopwatch,
  };
}

/** Resolves the options that choose items. `now`: of an age in `since`. Throws ConfigError if one is wrong. */
export function listJob(
  { resource, filters, since }: Pick<ExportOptions, 'resource' | 'filters' | 'since'>,
  now: Date,
): ListJob {
  const { list } = resource;
  if (!list) throw new Error(`${resource.name} cannot be listed`);
  return {
    list,
    filters: readFilters(resource, list, filters),
    since: since === undefined ? undefined : sinceFor(resource, since, now),
  };
}

function sinceFor({ name, list }: Resource, since: string, now: Date): number {
  if (list?.created !== undefined) return sinceMoment(since, now);
  throw new ConfigError(`--since ${since}: the API document does not say when ${name} were made.`, [
    `Where the store does, name the field in the configuration: api: { ${name}: { list: { created: createdAt } } }`,
  ]);
}
