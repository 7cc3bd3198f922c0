import { lockExport } from '../ledger/index.ts';
import type { ExportMapping } from '../map/index.ts';
import { RunStopped } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import type { StoreClient } from '../store/index.ts';
import { soundPages } from '../store/list.ts';
import { refuseOverwriting, type TableFormat } from '../write/index.ts';
import { openExportFile } from './export-file.ts';
import { type ExportJob, exportJob } from './export-job.ts';
import { newWalk, note, type Walk } from './export-walk.ts';
import { withAdvice } from './list-advice.ts';
import { type Drift, manifestOf, manifestPath } from './manifest.ts';
import { createSelection } from './new-items.ts';
import type { BesideFiles } from './own-files.ts';

export interface ExportOptions {
  readonly resource: Resource;
  /** File; left out, standard output. */
  readonly out?: string | undefined;
  /** The same before anything was filled in: with another date it is still the same kind of export. */
  readonly template?: string | undefined;
  readonly format: TableFormat;
  /** Dotted paths, or `*` for the rest, with commas between; left out, the native columns. CSV only. */
  readonly columns?: string | undefined;
  /** In place of `columns`, and in every format. */
  readonly mapping?: ExportMapping | undefined;
  /** `name=value`, for what the API filters. */
  readonly filters: readonly string[];
  /** A moment or an age, see `sinceMoment`: items from before are left out. */
  readonly since?: string | undefined;
  /** Only what earlier exports of this kind did not have; added to their file, where that is still there. */
  readonly incremental: boolean;
  /** Cells that a spreadsheet would run are left as they are. */
  readonly raw: boolean;
  /** Items to take at most. */
  readonly limit?: number | undefined;
  /** Folder of the lock, and of what incremental exports remember. */
  readonly home: string;
  readonly version: string;
  /** Must not be what is written. */
  readonly beside?: BesideFiles | undefined;
  /** Called once the command is known to be good. */
  readonly connect: () => Promise<{
    readonly baseUrl: string;
    readonly client: Pick<StoreClient, 'authenticate' | 'deliver'>;
    readonly concurrency: number;
  }>;
  /** Fires when the user interrupts: the file is left as it was before. */
  readonly interrupted: AbortSignal;
  /** `read`: items that the store gave, of which fewer may be written; with a limit that counts, those that are written. */
  readonly onProgress: (progress: { read: number; total: number | null }) => void;
  /** Called at the end. */
  readonly onWarning: (warning: string) => void;
}

export interface ExportSummary extends Drift {
  readonly command: 'export';
  readonly resource: string;
  readonly format: TableFormat;
  readonly out: string | null;
  readonly manifest: string | null;
  readonly pages: number;
  /** Items that were written now. */
  readonly items: number;
  /** Whether an earlier export of this kind was known; null where it was not asked for. */
  readonly had_earlier: boolean | null;
  /** Items that were left out: an earlier export has them, or they are from before `--since`. */
  readonly known: number;
  readonly early: number;
  /** Items that the store sent although they do not match `--filter`: they were left out. */
  readonly mismatched: number;
  /** Items that are there although they do not show whether they match. */
  readonly unchecked: number;
  /** Items that are there although `--since` could not read their date. */
  readonly undated: number;
  /** Fields that no column shows, with how many items have them. */
  readonly not_in_columns: Readonly<Record<string, number>>;
  /** Columns of a mapping, with how many of their cells could not be converted and hold what the store gave. */
  readonly not_converted: Readonly<Record<string, number>>;
  readonly duration_ms: number;
  readonly exit_code: number;
}

/**
 * One export: pages → items → file, in the list's order, each item once. The file appears whole or not at all, and a
 * manifest beside it. Throws ConfigError for a command that is wrong, RunStopped when the list could not be read to its
 * end.
 */
export async function runExport(options: ExportOptions): Promise<ExportSummary> {
  const job = exportJob(options);
  refuseLosses(options);
  const unlock = job.lock === undefined ? undefined : lockExport(options.home, job.lock);
  try {
    return { ...(await readAndWrite(job, options)), duration_ms: job.stopwatch.elapsedMs() };
  } finally {
    unlock?.();
  }
}

/** Throws ConfigError. */
function refuseLosses({ out = '-', beside }: ExportOptions): void {
  const own = out === '-' ? [] : [{ path: manifestPath(out), says: `the manifest ${manifestPath(out)}` }];
  const says = out === '-' ? 'standard output' : `--out ${out}`;
  refuseOverwriting(
    [{ path: out, says }, ...own, ...(beside?.written ?? [])],
    beside?.read ?? [],
    beside?.home,
  );
}

async function readAndWrite(
  job: ExportJob,
  options: ExportOptions,
): Promise<Omit<ExportSummary, 'duration_ms'>> {
  const { resource, format, out, raw, home, incremental } = options;
  const { list, filters, table, template, since } = job;
  const { query } = filters;
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const { baseUrl, client, concurrency } = await options.connect();
  await client.authenticate();
  const walk = newWalk();
  const selection = createSelection({ list, filters, since, remember: incremental });
  let hadEarlier: boolean | null = null;
  try {
    const file = await openExportFile({
      ...{ out, format, raw, table },
      memory: incremental ? { home, kind: [baseUrl, resource.name, query, template] } : undefined,
      onKnown: selection.know,
      tell: (told, before) => ({
        ...manifestOf(job, options, baseUrl, { ...walk, ...selection.counts }, before),
        ...told,
      }),
    });
    if (incremental) hadEarlier = file.hasEarlier;
    try {
      for await (const page of soundPages(client, { ...list, query }, concurrency)) {
        const { items, keys } = selection.take(page, limit - walk.items);
        await file.write(table.rowsOf(items), keys);
        note(walk, page, items, list.id);
        options.onProgress(
          limit < (walk.total ?? Number.POSITIVE_INFINITY)
            ? { read: walk.items, total: Number.isFinite(limit) ? limit : null }
            : { read: walk.read, total: walk.total },
        );
        if (walk.items >= limit) break;
        if (options.interrupted.aborted) throw new RunStopped('interrupted', 'The export was interrupted.');
      }
      await file.commit();
    } catch (error) {
      await file.abort();
      if (file.isClosed() && error instanceof RunStopped) throw withCount(error, walk, resource);
      throw withAdvice(error, resource, list, walk.pages);
    }
  } finally {
    selection.close();
  }
  const { pages, items, total_at_start, total, read_again, unsure, short } = walk;
  const { repeated, known, mismatched, unchecked, early, undated } = selection.counts;
  const unconverted = table.warnings();
  for (const warning of unconverted) options.onWarning(warning);
  return {
    command: 'export',
    resource: resource.name,
    format,
    out: out ?? null,
    manifest: out === undefined ? null : manifestPath(out),
    had_earlier: hadEarlier,
    ...{ pages, items, known, early, mismatched, unchecked, undated },
    ...{ repeated, read_again, unsure, short, total_at_start, total },
    ...table.counts(),
    exit_code: unsure > 0 || unconverted.length > 0 ? 1 : 0,
  };
}

/** Says how many items the reader of a pipe took at most: the last ones written may still have been in the pipe. */
function withCount(
  { reason, message, hints }: RunStopped,
  { items, total }: Walk,
  { name }: Resource,
): RunStopped {
  const all = total === null ? '' : `of ${total} `;
  return new RunStopped(reason, `${message} At most ${items} ${all}${name} were.`, hints);
}
