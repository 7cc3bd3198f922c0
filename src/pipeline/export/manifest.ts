import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { createReadStream, stat } from '../../model/files/fs.ts';
import { type AtomicFile, type CsvForm, openAtomicFile, type TableFormat } from '../../write/index.ts';
import type { ExportJob } from './job.ts';
import type { FormedExport } from './options.ts';
import type { Counts } from './selection.ts';
import type { ExportTotals, ListDrift } from './totals.ts';

/** The JSON file beside an exported file, by which a nightly job can trust or refuse it. */
export interface Manifest {
  readonly storeport: string;
  /** Name of the file, without its folder. */
  readonly file: string;
  readonly resource: string;
  readonly format: TableFormat;
  /** Delimiter of a CSV file, if it is not a comma. */
  readonly delimiter?: string;
  /** True for a CSV file that begins with a byte order mark. */
  readonly bom?: true;
  readonly store: string;
  readonly filters: readonly string[];
  readonly since: string | null;
  readonly limit: number | null;
  /** Names of the columns; null if items are written whole. */
  readonly columns: readonly string[] | null;
  /** ISO 8601. */
  readonly started_at: string;
  readonly finished_at: string;
  /** True if no item can be missing that was in the list all the time. */
  readonly complete: boolean;
  readonly pages: number;
  /** Rows of the whole file, and the number of them that the last export added. */
  readonly rows: number;
  readonly added: number;
  /** Items that were left out, since they do not match the filters. */
  readonly mismatched: number;
  /** Items in the file that have no value to compare with the filters. */
  readonly unchecked: number;
  readonly first_id: string | null;
  readonly last_id: string | null;
  /** How the list changed while it was read. */
  readonly drift: ListDrift;
  /** Size and digest of the file on disk, after compression. */
  readonly bytes: number;
  readonly sha256: string;
}

/** The size and digest of a written file. */
export interface FileContent {
  readonly bytes: number;
  readonly sha256: string;
}

export interface ManifestParts {
  readonly job: ExportJob;
  readonly options: FormedExport;
  /** Base URL. */
  readonly store: string;
  readonly totals: ExportTotals;
  readonly counts: Counts;
  readonly content: FileContent;
  /** The manifest of the file to which this export adds; undefined if the file is new. */
  readonly previous: Manifest | undefined;
}

export function manifestOf({
  job,
  options,
  store,
  totals,
  counts,
  content,
  previous,
}: ManifestParts): Manifest {
  const { resource, format, csv, filters, out = '' } = options;
  const { total_at_start, total, read_again, unsure, short } = totals.drift;
  return {
    storeport: options.version,
    file: basename(out),
    resource: resource.name,
    format,
    ...(format === 'csv' && csv ? formIn(csv) : {}),
    store,
    filters,
    since: job.since === undefined ? null : new Date(job.since).toISOString(),
    limit: options.limit ?? null,
    columns: job.table.header,
    started_at: job.stopwatch.startedAt.toISOString(),
    finished_at: job.stopwatch.date().toISOString(),
    complete: unsure === 0,
    pages: totals.pages,
    rows: (previous?.rows ?? 0) + totals.items,
    added: totals.items,
    mismatched: counts.mismatched,
    unchecked: counts.unchecked,
    first_id: previous?.first_id ?? totals.firstId,
    last_id: totals.lastId ?? previous?.last_id ?? null,
    drift: { total_at_start, total, repeated: counts.repeated, read_again, unsure, short },
    bytes: content.bytes,
    sha256: content.sha256,
  };
}

/** The form of a CSV file, without what is usual. */
function formIn({ delimiter = ',', bom }: CsvForm): Pick<Manifest, 'delimiter' | 'bom'> {
  return { ...(delimiter === ',' ? {} : { delimiter }), ...(bom ? { bom } : {}) };
}

export function manifestPath(file: string): string {
  return `${file}.manifest.json`;
}

export async function writeManifest(file: string, manifest: Manifest): Promise<void> {
  await (await stageManifest(file, manifest)).commit();
}

/** Writes the manifest durably under another name. `commit` renames it. */
export async function stageManifest(file: string, manifest: Manifest): Promise<AtomicFile> {
  const whole = await openAtomicFile(manifestPath(file));
  await whole.write(`${JSON.stringify(manifest, null, 2)}\n`);
  await whole.seal();
  return whole;
}

/** Counts and hashes bytes while they are written. */
export function digester() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    take(chunk: Buffer): void {
      hash.update(chunk);
      bytes += chunk.length;
    },
    /** Must be called only once, at the end. */
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}

/** True if the file exists and matches its manifest. */
export async function matchesManifest(file: string, { bytes, sha256 }: FileContent): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size !== bytes) return false;
  const digest = digester();
  for await (const chunk of createReadStream(file)) digest.take(chunk as Buffer);
  return digest.result().sha256 === sha256;
}
