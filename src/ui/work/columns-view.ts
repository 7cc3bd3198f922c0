import type { SampledFile } from '../../suggest/index.ts';
import { type CellProfile, type Look, profileCells } from '../../suggest/index.ts';
import type { ColumnView } from '../api/index.ts';
import { confidenceOf } from './confidence.ts';
import { cut } from './cut.ts';
import type { SuggestionHints } from './work-state.ts';

/** Columns that are looked at closely. In a file of ten thousand columns, nobody matches all. */
const MANY_COLUMNS = 500;
/** Rows that are looked at if there are more. */
const FEW_ROWS = 50;
const LONGEST_SAMPLE = 200;
const SHORT_SAMPLE = 40;
const SAMPLES = 3;

/** Kinds of columns by the looks of nearly all cells, the first that fits. */
const KINDS: readonly (readonly [ColumnView['looksLike'], (profile: CellProfile) => boolean])[] = [
  ['empty', ({ filled }) => filled.length === 0],
  ['mail', mostly('mail')],
  ['URL', mostly('url')],
  ['GTIN', ({ filled }) => share(filled, /^(\d{8}|\d{12,14})$/) && !share(filled, /^0+$/)],
  ['HTML', mostly('html', 0.5)],
  ['date', mostly('date')],
  ['price', (profile) => mostly('amount')(profile) && share(profile.filled, /[.,]\d{2}\D*$/, 0.5)],
  ['yes or no', (profile) => mostly('yes-no')(profile) && profile.distinct.size <= 2],
  ['number', mostly('number')],
  ['text', () => true],
];

function mostly(look: Look, least = 0.9): (profile: CellProfile) => boolean {
  return (profile) => profile.share(look) >= least;
}

function share(cells: readonly string[], pattern: RegExp, least = 0.9): boolean {
  return cells.length > 0 && cells.filter((cell) => pattern.test(cell)).length >= least * cells.length;
}

/** The kind of cells in each column. It does not depend on the mapping. */
export interface ColumnFacts extends Pick<ColumnView, 'name' | 'filled' | 'samples' | 'looksLike'> {}

export function columnFacts({ columns }: SampledFile): ColumnFacts[] {
  const isMany = columns.length > MANY_COLUMNS;
  return columns.map(({ name, cells }) => {
    const profile = profileCells({ name, cells: isMany ? cells.slice(0, FEW_ROWS) : cells });
    const longest = isMany ? SHORT_SAMPLE : LONGEST_SAMPLE;
    return {
      name,
      filled: profile.fillRate,
      samples: [...profile.distinct].slice(0, SAMPLES).map((cell) => cut(cell, longest)),
      looksLike: KINDS.find(([, fits]) => fits(profile))?.[0] ?? 'text',
    };
  });
}

/** The columns with the fields that read them, and those that they may be meant for. */
export function columnViews(
  facts: readonly ColumnFacts[],
  fieldsOf: (column: string) => readonly string[],
  { columns }: SuggestionHints,
): ColumnView[] {
  return facts.map((fact) => ({
    ...fact,
    fields: fieldsOf(fact.name),
    suggestions: columns
      .filter(({ column }) => column === fact.name)
      .map(({ field, score, reason }) => ({ field, confidence: confidenceOf(score), reason })),
  }));
}
