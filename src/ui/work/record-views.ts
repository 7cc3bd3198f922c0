import { type Json, visible } from '../../model/index.ts';
import { type Previewed, previewRecords, type SourceOptions } from '../../pipeline/index.ts';
import type { RecordsView, RecordView } from '../api/index.ts';
import { MOST_TEXT } from '../limits.ts';
import { cut } from './cut.ts';

export interface RecordsWanted {
  readonly from: number;
  readonly count: number;
  readonly key?: string | undefined;
  readonly withIssues: boolean;
  /** Fires when nobody waits for the answer any more. */
  readonly left: AbortSignal;
}

/** A search through a large file ends after this time; the page can continue it. */
const LONGEST_SEARCH_MS = 20_000;
/** Characters of a text that is shown, since a cell may have megabytes. */
const LONGEST_TEXT = 20_000;

/** Records as they would be sent, beside their cells. */
export async function recordsView(source: SourceOptions, wanted: RecordsWanted): Promise<RecordsView> {
  const { left, ...options } = wanted;
  const stopped = AbortSignal.any([left, AbortSignal.timeout(LONGEST_SEARCH_MS)]);
  const { records, next } = await previewRecords({ ...source, ...options, stopped });
  const texts = records.reduce(
    (sum, { source: rows, payload }) =>
      sum + countTexts(rows.map(({ cells }) => cells)) + countTexts(payload),
    0,
  );
  const longest = Math.min(LONGEST_TEXT, Math.floor(MOST_TEXT / Math.max(1, texts)));
  return { records: records.map((record) => recordView(record, longest)), next: next ?? null };
}

/** `longest`: characters of a text that is shown. */
function recordView(
  { index, key, source, payload, issues, links }: Previewed['records'][number],
  longest: number,
): RecordView {
  return {
    index,
    key,
    rows: source.map(({ row, cells }) => ({
      row,
      cells: cutTexts(cells, longest) as Record<string, unknown>,
    })),
    payload: cutTexts(payload, longest) as Record<string, unknown>,
    issues: issues.map(({ row, column, field, code, message }) => ({
      ...(row === undefined ? {} : { row }),
      ...(column === undefined ? {} : { column }),
      ...(field === undefined ? {} : { field }),
      ...{ code, message: visible(message) },
    })),
    links,
  };
}

type Texts = Json | Readonly<Record<string, Json>>;

function countTexts(value: Texts): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countTexts(inner), 0);
}

function cutTexts(value: Texts, longest: number): unknown {
  if (typeof value === 'string') return cut(value, longest);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => cutTexts(inner, longest));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutTexts(inner, longest)]));
}
