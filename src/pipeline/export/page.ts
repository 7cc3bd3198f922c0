import { grouped, type RunActivity } from '../../model/index.ts';
import { exportPage } from '../../report/index.ts';
import { openAtomicFile } from '../../write/index.ts';
import type { Manifest } from './manifest.ts';
import type { ExportSummary } from './options.ts';

/** The page about an exported file, beside it. */
export function exportPagePath(file: string): string {
  return `${file}.report.html`;
}

export interface ExportPageFacts {
  readonly file: string;
  readonly summary: ExportSummary;
  readonly manifest: Manifest;
  readonly activity: RunActivity;
}

/** Writes the page about an exported file. Throws RunStopped. */
export async function writeExportPage({ file, summary, manifest, activity }: ExportPageFacts): Promise<void> {
  const page = await openAtomicFile(exportPagePath(file));
  const { resource, store, started_at, complete, rows, added, columns, filters, since, limit } = manifest;
  await page.write(
    exportPage({
      ...{ resource, store, complete, rows, added, activity },
      file: manifest.file,
      startedAt: started_at,
      durationMs: summary.duration_ms,
      notInColumns: summary.not_in_columns,
      noted: notedIn(summary),
      facts: [
        ['File', `${manifest.file}, ${grouped(manifest.bytes)} bytes, sha256 ${manifest.sha256}`],
        ['Format', manifest.format],
        ...(columns ? [['Columns', columns.join(', ')] as const] : []),
        ...filters.map((filter) => ['Filter', filter] as const),
        ...(since === null ? [] : [['Since', since] as const]),
        ...(limit === null ? [] : [['At most', grouped(limit)] as const]),
        ['Pages', grouped(summary.pages)],
        ['First and last', `${manifest.first_id ?? '–'}, ${manifest.last_id ?? '–'}`],
        ['Versions', `storeport ${manifest.storeport}, Node ${process.version}`],
      ],
    }),
  );
  await page.commit();
}

function notedIn(summary: ExportSummary): { readonly says: string; readonly count: number }[] {
  const { known, early, mismatched, unchecked, undated, repeated, unsure, not_converted } = summary;
  return [
    { count: known, says: 'were in an earlier export, and are left out.' },
    { count: early, says: 'are older than --since, and are left out.' },
    { count: mismatched, says: 'do not match the filter, and are left out although the store sent them.' },
    { count: unchecked, says: 'do not show whether they match the filter, and are in the file.' },
    { count: undated, says: 'have no date that can be read, and are in the file.' },
    {
      count: repeated,
      says: 'came twice, since the list changed while it was read, and are in the file once.',
    },
    { count: unsure, says: 'pages on which something may be missing.' },
    ...Object.entries(not_converted).map(([column, count]) => ({
      count,
      says: `cells of ${column} could not be converted, and have the value of the store.`,
    })),
  ];
}
