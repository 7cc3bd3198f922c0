import { cellText, type Json, restore } from '../../model/index.ts';

interface ChangeKind {
  readonly kind: string;
  readonly says: string;
  readonly fits: (before: string, value: Json) => boolean;
}

/** Ways in which a mapping can change the text of a cell. The first that fits counts. */
export const CHANGE_KINDS: readonly ChangeKind[] = [
  {
    kind: 'reckoned',
    says: 'numbers that became other numbers',
    fits: isComputed,
  },
  {
    kind: 'number',
    says: 'numbers written as the API writes them',
    fits: (_, value) => typeof value === 'number',
  },
  { kind: 'yes-or-no', says: 'words for yes and no', fits: (_, value) => typeof value === 'boolean' },
  { kind: 'list', says: 'lists cut into their parts', fits: (_, value) => Array.isArray(value) },
  {
    kind: 'json',
    says: 'objects rewritten as JSON',
    fits: (_, value) => typeof value === 'object' && value !== null,
  },
  {
    kind: 'guard',
    says: 'apostrophes that only kept a spreadsheet from reading a cell',
    fits: (before, value) => restore(before) === value || before === `'${String(value)}`,
  },
  { kind: 'text', says: 'texts that the mapping changed', fits: () => true },
];

/** True if the text is a number and the value another one, with other digits: `12` became 33. Not if `1.299` became 1299, which is the same number in German. */
function isComputed(before: string, value: Json): boolean {
  if (typeof value !== 'number' || before.trim() === '' || !Number.isFinite(Number(before))) return false;
  return Number(before) !== value && digitsIn(before) !== digitsIn(String(value));
}

function digitsIn(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** How the mapped value of a cell differs from its text; undefined if it does not. */
export function changeOf(
  before: string,
  value: Json,
): { readonly kind: string; readonly after: string } | undefined {
  const after = cellText(value);
  if (after === before) return undefined;
  const { kind } = CHANGE_KINDS.find(({ fits }) => fits(before, value)) as ChangeKind;
  return { kind, after };
}
