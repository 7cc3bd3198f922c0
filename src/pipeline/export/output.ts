import { resolve, stat } from '../../model/files/fs.ts';
import { ConfigError, type JsonObject } from '../../model/index.ts';
import {
  type AtomicFile,
  type CsvForm,
  destinationOf,
  openTable,
  type TableFormat,
} from '../../write/index.ts';
import type { TableColumns } from './columns.ts';
import { type LastExport, openEarlierExports } from './history.ts';
import {
  digester,
  type FileContent,
  type Manifest,
  manifestPath,
  matchesManifest,
  stageManifest,
} from './manifest.ts';

export interface ExportFileOptions {
  /** Name of the file; undefined for standard output. */
  readonly out: string | undefined;
  /** Needed without a file. */
  readonly stdout: NodeJS.WritableStream | undefined;
  readonly format: TableFormat;
  readonly csv: CsvForm | undefined;
  readonly table: TableColumns;
  readonly raw: boolean;
  /** For an incremental export: the folder of its history, and the values that identify its kind. */
  readonly memory: { readonly home: string; readonly kind: readonly unknown[] } | undefined;
  /** Called with each key that an earlier export of this kind wrote. */
  readonly onKnown: (key: string) => void;
  /** Called once all items are written. `previous`: the manifest of the file to which they are added. */
  readonly buildManifest: (content: FileContent, previous: Manifest | undefined) => Manifest;
}

/** The output of an export: its file, the manifest beside it, and the history for the next export. */
export interface ExportFile {
  /** True if an earlier export of this kind is known. */
  readonly hasEarlier: boolean;
  /** `keys`: identify the items for the next export. */
  write(items: readonly JsonObject[], keys: readonly string[]): Promise<void>;
  /** True if the reader of a pipe is gone, as after `| head`. Then `write` and `commit` throw RunStopped. */
  isClosed(): boolean;
  /** Resolves with the manifest; undefined for standard output, a pipe or a device. */
  commit(): Promise<Manifest | undefined>;
  abort(): Promise<void>;
}

/** Throws ConfigError if the file cannot be written, or is not the one that the last export wrote. */
export async function openExportFile(options: ExportFileOptions): Promise<ExportFile> {
  const { out, format, csv, raw, memory, onKnown, buildManifest } = options;
  const earlier = memory && (await openEarlierExports(memory.home, memory.kind, onKnown));
  try {
    const previous = out === undefined ? undefined : await existingManifest(out, earlier?.last, options);
    const digest = digester();
    let manifest: AtomicFile | undefined;
    let built: Manifest | undefined;
    const table = await openTable(destinationOf(options), {
      format,
      columns: options.table.columns,
      raw,
      ...csv,
      appendTo: previous && out,
      onBytes: digest.take,
      async beforeRename() {
        built = buildManifest(digest.result(), previous);
        // A full disk must be found before the file appears.
        manifest = await stageManifest(out as string, built);
        await earlier?.prepare({ file: { path: resolve(out as string), manifest: built } });
      },
    });
    return {
      hasEarlier: earlier?.last !== undefined,
      async write(items, keys) {
        await table.write(items);
        await earlier?.add(keys);
      },
      isClosed: table.isClosed,
      async commit() {
        await table.commit();
        if (manifest) await manifest.commit();
        else await earlier?.prepare({ file: null });
        await earlier?.commit();
        return built;
      },
      async abort() {
        await table.abort();
        await manifest?.abort();
        await earlier?.abort();
      },
    };
  } catch (error) {
    await earlier?.abort();
    throw error;
  }
}

/**
 * The manifest of the existing file to which an incremental export adds; undefined if the file is new. Throws ConfigError
 * if the file is not the one that the last export wrote: it is neither extended nor overwritten with fewer items.
 */
async function existingManifest(
  out: string,
  last: LastExport | undefined,
  { format, csv, table, memory }: ExportFileOptions,
): Promise<Manifest | undefined> {
  // A device or a pipe has no content.
  const found = memory && (await stat(out).catch(() => undefined));
  if (!found?.isFile()) return undefined;
  const { path, manifest } = last?.file ?? {};
  if (last === undefined)
    throw new ConfigError(
      `${out} exists, and no earlier export is known that wrote it, so nothing can be added to it.`,
      ['Move it away. If it was written with --incremental, name the --home that was used then.'],
    );
  if (manifest === undefined || path !== resolve(out) || !(await matchesManifest(out, manifest)))
    throw new ConfigError(
      `${out} is not the file that the last export wrote, so nothing can be added to it.`,
      ['Move it away: new items are then written to a new file.'],
    );
  const { delimiter = ',', bom = false } = csv ?? {};
  const isSameForm = (manifest.delimiter ?? ',') === delimiter && (manifest.bom ?? false) === bom;
  if (
    manifest.format !== format ||
    manifest.columns?.join('\n') !== table.header?.join('\n') ||
    (format === 'csv' && !isSameForm)
  )
    throw new ConfigError(`${out} has other columns, or another format, than this export.`, [
      `Export with the columns and the format in ${manifestPath(out)}, or move the file away: new items are then written to a new file.`,
    ]);
  return manifest;
}
