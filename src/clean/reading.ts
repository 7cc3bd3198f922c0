import { cellText, type Json, restore } from '../model/index.ts';

interface Reading {
  readonly kind: string;
  readonly says: string;
  readonly fits: (before: string, value: Json) => boolean;
}

/** What a mapping may have made of a cell, beyond the cell's own text. The first that fits counts. */
export const READINGS: readonly Reading[] = [
  {
    kind: 'number',
    says: 'numbers written as the API writes them',
    fits: (_, value) => typeof value === 'number',
  },
  { kind: 'yes-or-no', says: 'words for yes and no', fits: (_, value) => typeof value === 'boolean' },
  { kind: 'list', says: 'lists cut into their parts', fits: (_, value) => Array.isArray(value) },
  {
    kind: 'json',
    says: 'objects in JSON written anew',
    fits: (_, value) => typeof value === 'object' && value !== null,
  },
  {
    kind: 'guard',
    says: 'apostrophes that only kept a spreadsheet from reading a cell',
    fits: (before, value) => restore(before) === value || before === `'${String(value)}`,
  },
  { kind: 'text', says: 'texts that the mapping changed', fits: () => true },
];

/** How the value that was made of a cell differs from its text; undefined where it does not. */
export function readingOf(
  before: string,
  value: Json,
): { readonly kind: string; readonly after: string } | undefined {
  const after = cellText(value);
  if (after === before) return undefined;
  const { kind } = READINGS.find(({ fits }) => fits(before, value)) as Reading;
  return { kind, after };
}
