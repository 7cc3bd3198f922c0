import { tmpdir } from 'node:os';
import { chosenColumns, filterQuery, unseenFields } from '../export/index.ts';
import { type JsonObject, RunStopped } from '../model/index.ts';
import { createKeyIndex } from '../plan/index.ts';
import { fieldType, type Resource } from '../resources/index.ts';
import { type Paginate, type StoreClient, soundPages } from '../store/index.ts';
import { openTable, type TableFormat } from '../write/index.ts';

export interface ExportOptions {
  readonly resource: Resource;
  /** File; left out, standard output. */
  readonly out?: string | undefined;
  readonly format: TableFormat;
  /** Dotted paths with commas between; left out, the native columns. CSV only. */
  readonly columns?: string | undefined;
  /** `name=value`, for what the API filters. */
  readonly filters: readonly string[];
  /** Cells that a spreadsheet would run are left as they are. */
  readonly raw: boolean;
  /** Items to take at most. */
  readonly limit?: number | undefined;
  /** Called once the command is known to be good. */
  readonly connect: () => Promise<{
    readonly client: Pick<StoreClient, 'authenticate' | 'deliver'>;
    readonly concurrency: number;
  }>;
  /** Fires when the user interrupts: the file is left as it was before. */
  readonly interrupted: AbortSignal;
  readonly onProgress: (progress: { items: number; total: number | undefined }) => void;
}

export interface ExportSummary {
  readonly command: 'export';
  readonly resource: string;
  readonly format: TableFormat;
  readonly out: string | null;
  readonly pages: number;
  readonly items: number;
  /** Items that came more than once since the list shifted while it was paged; written once. */
  readonly repeated: number;
  /** Pages that were read once more, since something may have moved onto them. */
  readonly read_again: number;
  /** Pages before which something may be missing: the list changed faster than two pages could be read. */
  readonly unsure: number;
  /** What the store said the list holds, at the beginning and at the end. */
  readonly total_at_start: number | null;
  readonly total: number | null;
  /** Fields that no column shows, with how many items have them. */
  readonly not_in_columns: Readonly<Record<string, number>>;
  readonly duration_ms: number;
  readonly exit_code: number;
}

/**
 * One export: pages → items → file, in the list's order, each item once. The file appears whole or not at all.
 * Throws ConfigError before the store is asked, RunStopped when the list could not be read to its end.
 */
export async function runExport(options: ExportOptions): Promise<ExportSummary> {
  const { resource, format, out } = options;
  const { list } = resource;
  if (!list) throw new Error(`${resource.name} cannot be listed`);
  const startedAt = performance.now();
  const query = filterQuery(resource, list, options.filters);
  const columns = chosenColumns(resource, options.columns);
  // Who names columns gets what is in them; without a word it is the native form, to be imported again.
  const isNative = resource.create !== undefined && options.columns === undefined;
  const unseen = unseenFields(columns, isNative ? fieldType(resource.schema) : undefined);
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const seen = createKeyIndex(tmpdir());
  let items = 0;
  let repeated = 0;
  let count = 0;
  let readAgain = 0;
  let unsure = 0;
  let totalAtStart: number | undefined;
  let paginate: Paginate = {};

  const isNew = (item: JsonObject): boolean => {
    const id = list.id === undefined ? undefined : item[list.id];
    return typeof id !== 'string' || seen.claim(id, 1) === undefined;
  };

  const { client, concurrency } = await options.connect();
  await client.authenticate();
  const table = await openTable(out ?? process.stdout, format, columns, { raw: options.raw });
  try {
    for await (const page of soundPages(client, { ...list, query }, concurrency)) {
      if (page.again) readAgain++;
      else count++;
      if (!page.sure) unsure++;
      paginate = page.paginate;
      totalAtStart ??= paginate.total;
      const shown = page.items.filter(isNew);
      // What is read again is expected to have been there.
      if (!page.again) repeated += page.items.length - shown.length;
      const fresh = shown.slice(0, limit - items);
      await table.write(format === 'csv' ? fresh.map(unseen.look) : fresh);
      items += fresh.length;
      options.onProgress({ items, total: paginate.total });
      // Nobody reads on, as behind `| head`.
      if (items >= limit || table.ended()) break;
      if (options.interrupted.aborted) throw new RunStopped('interrupted', 'The export was interrupted.');
    }
    await table.commit();
  } catch (error) {
    await table.abort();
    throw list.undocumented ? withAdvice(error, resource, list.path, count) : error;
  } finally {
    seen.close();
  }
  return {
    command: 'export',
    resource: resource.name,
    format,
    out: out ?? null,
    pages: count,
    items,
    repeated,
    read_again: readAgain,
    unsure,
    total_at_start: totalAtStart ?? null,
    total: paginate.total ?? null,
    not_in_columns: Object.fromEntries(unseen.counts),
    duration_ms: Math.round(performance.now() - startedAt),
    exit_code: unsure > 0 ? 1 : 0,
  };
}

/** What a failure to read the list may come from, and what can be done, where nobody has promised that it is one. */
function withAdvice(error: unknown, { name }: Resource, path: string, pages: number): unknown {
  if (!(error instanceof RunStopped)) return error;
  const isAboutList = error.reason === 'not-the-api' || (error.reason === 'store-unreachable' && pages === 0);
  if (!isAboutList) return error;
  return new RunStopped(error.reason, error.message, [
    ...error.hints,
    `The API document names ${path} and does not show its answer: not every store has a list of ${name} there.`,
    `If yours has it elsewhere, write ${name}.list.path into the section api of storeport.config.yaml: docs/configuration.md.`,
  ]);
}
