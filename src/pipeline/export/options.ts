import type { ExportMapping } from '../../map/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { StoreClient } from '../../store/index.ts';
import type { CsvForm, TableFormat } from '../../write/index.ts';
import type { ObservedClient } from '../run/activity.ts';
import type { CommandFiles } from '../run/own-files.ts';
import type { ListSummary } from './totals.ts';

export interface ExportOptions {
  readonly resource: Resource;
  /** Name of the file; undefined for standard output. */
  readonly out?: string | undefined;
  /** Needed without `out`. */
  readonly stdout?: NodeJS.WritableStream | undefined;
  /** The name before values were filled in: it identifies the kind of export on any date. */
  readonly template?: string | undefined;
  /** Left out, the name says it. */
  readonly format?: TableFormat | undefined;
  /** Form of a CSV file. */
  readonly csv?: CsvForm | undefined;
  /** Comma-separated dotted paths, or `*` for the rest; undefined for the native columns. CSV only. */
  readonly columns?: string | undefined;
  /** Used in place of `columns`, in every format. */
  readonly mapping?: ExportMapping | undefined;
  /** `name=value`, for names that the API can filter by. */
  readonly filters: readonly string[];
  /** A moment or an age, see `sinceMoment`. Older items are left out. */
  readonly since?: string | undefined;
  /** Exports only items that earlier exports of this kind did not have, and adds them to their file if it exists. */
  readonly incremental: boolean;
  /** True if cells that a spreadsheet would run as formulas are not defused. */
  readonly raw: boolean;
  /** Maximum number of items. */
  readonly limit?: number | undefined;
  /** Folder of the lock and of the history of incremental exports. */
  readonly home: string;
  readonly version: string;
  /** Files that must not be overwritten. */
  readonly commandFiles?: CommandFiles | undefined;
  /** Called once the command is known to be valid. */
  readonly connect: () => Promise<{
    readonly baseUrl: string;
    readonly client: Pick<StoreClient, 'authenticate' | 'deliver'> & ObservedClient;
    readonly concurrency: number;
  }>;
  /** Fires when the user interrupts. The earlier file is then unchanged. */
  readonly interrupted: AbortSignal;
  /** `read`: items from the store, which may be more than those written. If the limit is the total, items that were written. */
  readonly onProgress: (progress: { read: number; total: number | null }) => void;
  /** Called at the end with each warning. */
  readonly onWarning: (warning: string) => void;
}

/** The options of an export whose format is known. */
export type FormedExport = ExportOptions & { readonly format: TableFormat };

export interface ExportSummary extends ListSummary {
  readonly command: 'export';
  readonly resource: string;
  /** Base URL. */
  readonly store: string;
  readonly format: TableFormat;
  readonly out: string | null;
  readonly manifest: string | null;
  /** True if an earlier export of this kind is known; null if the export is not incremental. */
  readonly had_earlier: boolean | null;
  /** Fields that no column shows, with the number of items that have them. */
  readonly not_in_columns: Readonly<Record<string, number>>;
  /** Columns of a mapping with the number of cells that could not be converted. Those have the store's value. */
  readonly not_converted: Readonly<Record<string, number>>;
  /** ISO 8601. */
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
  readonly exit_code: number;
}
