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
  readonly singular: string;
}

/** Writes the page about an exported file. Throws RunStopped. */
export async function writeExportPage(facts: ExportPageFacts): Promise<void> {
  const { file, singular, summary, manifest, activity } = facts;
  const page = await openAtomicFile(exportPagePath(file));
  const { resource, store, started_at, complete, rows, added, columns, filters, since, limit } = manifest;
  await page.write(
    exportPage({
      ...{ resource, singular, store, complete, rows, added, activity },
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
    { count: known, says: 'from an earlier export: left out.' },
    { count: early, says: 'older than --since: left out.' },
    { count: mismatched, says: 'against the filter, although the store sent it: left out.' },
    { count: unchecked, says: 'that cannot be checked against the filter: in the file.' },
    { count: undated, says: 'without a date that can be read: in the file.' },
    { count: repeated, says: 'repeated, since the list changed while it was read: in the file once.' },
    { count: unsure, says: `${unsure === 1 ? 'page' : 'pages'} on which something may be missing.` },
    ...Object.entries(not_converted).map(([column, count]) => ({
      count,
      says: `not converted for ${column}: the cell has the value of the store.`,
    })),
  ];
}
