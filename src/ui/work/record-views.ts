import { type Json, visible } from '../../model/index.ts';
import { type Previewed, previewRecords, type SourceOptions } from '../../pipeline/index.ts';
import type { RecordsView, RecordView } from '../api/index.ts';

export interface RecordsWanted {
  readonly from: number;
  readonly count: number;
  readonly key?: string | undefined;
  readonly withIssues: boolean;
  /** Fires when nobody waits for the answer any more. */
  readonly left: AbortSignal;
}

/** A search through a large file ends after this time; the page can go on with it. */
const LONGEST_SEARCH_MS = 20_000;
const LONGEST_TEXT = 20_000;

/** Records as they would be sent, beside their cells. */
export async function recordsView(source: SourceOptions, wanted: RecordsWanted): Promise<RecordsView> {
  const { left, ...options } = wanted;
  const stopped = AbortSignal.any([left, AbortSignal.timeout(LONGEST_SEARCH_MS)]);
  const { records, next } = await previewRecords({ ...source, ...options, stopped });
  return { records: records.map(recordView), next: next ?? null };
}

function recordView({
  index,
  key,
  source,
  payload,
  issues,
  links,
}: Previewed['records'][number]): RecordView {
  return {
    index,
    key,
    rows: source.map(({ row, cells }) => ({ row, cells: cutTexts(cells) as Record<string, unknown> })),
    payload: cutTexts(payload) as Record<string, unknown>,
    issues: issues.map(({ row, column, field, code, message }) => ({
      ...(row === undefined ? {} : { row }),
      ...(column === undefined ? {} : { column }),
      ...(field === undefined ? {} : { field }),
      ...{ code, message: visible(message) },
    })),
    links,
  };
}

/** Shortens long texts, since a cell may have megabytes. */
function cutTexts(value: Json | Readonly<Record<string, Json>>): unknown {
  if (typeof value === 'string')
    return visible(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cutTexts);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutTexts(inner)]));
}
