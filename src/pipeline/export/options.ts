import type { ExportMapping } from '../../map/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { StoreClient } from '../../store/index.ts';
import type { TableFormat } from '../../write/index.ts';
import type { BesideFiles } from '../run/own-files.ts';
import type { ListDrift } from './totals.ts';

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

export interface ExportSummary extends ListDrift {
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
