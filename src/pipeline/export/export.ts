import { lockExport } from '../../ledger/index.ts';
import { type RunActivity, RunStopped } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { formatOfName, refuseOverwriting } from '../../write/index.ts';
import { noteActivity } from '../run/activity.ts';
import { type ExportJob, exportJob } from './job.ts';
import { type Manifest, manifestOf, manifestPath } from './manifest.ts';
import type { ExportOptions, ExportSummary, FormedExport } from './options.ts';
import { openExportFile } from './output.ts';
import { exportPagePath, writeExportPage } from './page.ts';
import { readList } from './read-list.ts';
import type { ExportTotals } from './totals.ts';

/**
 * One export: pages → items → file, in the list's order, each item once. The file and its manifest are whole or absent.
 * Throws ConfigError if the command is wrong, RunStopped if the list could not be read to its end.
 */
export async function runExport(given: ExportOptions): Promise<ExportSummary> {
  refuseLosses(given);
  const options = { ...given, ...formOf(given) };
  const job = exportJob(options);
  const unlock = job.lock === undefined ? undefined : lockExport(options.home, job.lock);
  try {
    const { summary, manifest, activity } = await readAndWrite(job, options);
    const { stopwatch } = job;
    const { exit_code, ...figures } = summary;
    const whole = {
      ...figures,
      started_at: stopwatch.startedAt.toISOString(),
      finished_at: stopwatch.date().toISOString(),
      duration_ms: stopwatch.elapsedMs(),
      exit_code,
    };
    const { out: file, resource } = options;
    if (manifest && file !== undefined)
      await writeExportPage({ file, singular: resource.singular, summary: whole, manifest, activity });
    return whole;
  } finally {
    unlock?.();
  }
}

/** The form of the file by its name. Throws ConfigError for a name whose format is not written. */
function formOf({ out, format: asked, csv }: ExportOptions): Pick<FormedExport, 'format' | 'csv'> {
  const { format, ...form } = formatOfName({ name: out, option: '--out', asked, formatOption: '--format' });
  return { format, csv: { ...form, ...csv } };
}

/** Throws ConfigError. */
function refuseLosses({ out = '-', commandFiles }: ExportOptions): void {
  const own =
    out === '-'
      ? []
      : [
          { path: manifestPath(out), says: `the manifest ${manifestPath(out)}` },
          { path: exportPagePath(out), says: `the page ${exportPagePath(out)}` },
        ];
  const says = out === '-' ? 'standard output' : `--out ${out}`;
  refuseOverwriting(
    [{ path: out, says }, ...own, ...(commandFiles?.written ?? [])],
    commandFiles?.read ?? [],
    commandFiles?.home,
  );
}

/** A finished export. */
interface Exported {
  readonly summary: Omit<ExportSummary, 'started_at' | 'finished_at' | 'duration_ms'>;
  /** Undefined unless a file was written. */
  readonly manifest: Manifest | undefined;
  readonly activity: RunActivity;
}

async function readAndWrite(job: ExportJob, options: FormedExport): Promise<Exported> {
  const { resource, format, csv, out, raw, home, incremental } = options;
  const { filters, table, template } = job;
  const { baseUrl, client, concurrency } = await options.connect();
  await client.authenticate();
  const list = readList(job, { ...options, remember: incremental });
  const { totals, counts } = list;
  let hadEarlier: boolean | null = null;
  const file = await openExportFile({
    ...{ out, stdout: options.stdout, format, csv, raw, table },
    memory: incremental ? { home, kind: [baseUrl, resource.name, filters.query, template] } : undefined,
    onKnown: list.noteExported,
    buildManifest: (content, previous) =>
      manifestOf({ ...{ job, options, store: baseUrl, totals, content, previous, counts } }),
  });
  if (incremental) hadEarlier = file.hasEarlier;
  let manifest: Manifest | undefined;
  const noted = noteActivity({ records: () => totals.items, client });
  try {
    for await (const { items, keys } of list.items(client, concurrency))
      await file.write(table.rowsOf(items), keys);
    manifest = await file.commit();
  } catch (error) {
    await file.abort();
    if (file.isClosed() && error instanceof RunStopped) throw withCount(error, totals, resource);
    throw withAdvice(error, resource, totals.pages);
  } finally {
    noted.stop();
  }
  const unconverted = table.warnings();
  for (const warning of unconverted) options.onWarning(warning);
  const summary = {
    command: 'export' as const,
    resource: resource.name,
    store: baseUrl,
    format,
    out: out ?? null,
    manifest: out === undefined ? null : manifestPath(out),
    had_earlier: hadEarlier,
    ...list.summary(),
    ...table.counts(),
    exit_code: totals.drift.unsure > 0 || unconverted.length > 0 ? 1 : 0,
  };
  return { summary, manifest, activity: noted.activity() };
}

/** Adds to an error how many items the reader of a pipe took at most: the last ones may still have been in the pipe. */
function withCount(
  { reason, message, hints }: RunStopped,
  { items, drift: { total } }: ExportTotals,
  { name }: Resource,
): RunStopped {
  const all = total === null ? '' : `of ${total} `;
  return new RunStopped(reason, `${message} At most ${items} ${all}${name} were.`, hints);
}

/**
 * Adds advice to the error of an export whose list may be at another path. `pages`: number of pages read. If a documented
 * list gave one, its path is right.
 */
function withAdvice(error: unknown, { name, list }: Resource, pages: number): unknown {
  if (!(error instanceof RunStopped) || !list) return error;
  const { path, otherPath, undocumented } = list;
  const isAboutList = undocumented
    ? error.reason === 'not-the-api' || (error.reason === 'store-unreachable' && pages === 0)
    : error.reason === 'not-the-api' && pages === 0;
  if (!isAboutList) return error;
  const other = otherPath === path ? undefined : otherPath;
  return new RunStopped(error.reason, error.message, [
    ...error.hints,
    ...(undocumented
      ? [
          `The API document names ${path} and does not show its answer: not every store has a list of ${name} there.`,
        ]
      : []),
    ...(other === undefined ? [] : [`Some stores have it at ${other}.`]),
    `If yours has it ${other === undefined ? 'elsewhere' : 'there, or elsewhere'}, write ${name}.list.path into the section api of storeport.config.yaml: docs/configuration.md.`,
    ...(other === undefined ? [] : [`For example: api: { ${name}: { list: { path: ${other} } } }`]),
  ]);
}
