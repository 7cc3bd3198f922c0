import type { SuspectCode, Suspicion } from '../../model/index.ts';
import { grouped } from './progress.ts';

/** Descriptions of the damage, with what to do. */
const WORDS: Readonly<Record<SuspectCode, string>> = {
  'decoded-twice':
    'Letters that were decoded twice: export the file again as UTF-8, with no other program in between.',
  'lost-letter':
    'Letters that were lost before the file was written: export it again as UTF-8, or write them in.',
  rounded:
    'Numbers that a spreadsheet has rounded: their digits are lost. Go back to the original, and open it with these columns as text.',
  'wrong-check-digit':
    'The check digit does not match the other digits: compare with the number on the goods.',
  'formula-error':
    'Errors of formulas in a spreadsheet, exported as text: write the values into these cells, or empty them.',
  'null-word':
    'Words that programs write for "no value", exported as text: empty these cells if that is meant.',
  'same-sku':
    'Variants of one product that share a SKU: if these are not the same goods, give each a SKU of its own.',
  'lost-zero':
    'Numbers without their leading zero, which a spreadsheet has removed: open the original with these columns as text.',
};

const MOST_SHOWN = 3;

/** Lists cells that look damaged. They were imported unchanged, so the user should check them. */
export function suspectLines(suspicions: readonly (Suspicion & { readonly file: string })[]): string[] {
  if (suspicions.length === 0) return [];
  const several = new Set(suspicions.map(({ file }) => file)).size > 1;
  const codes = [...new Set(suspicions.map(({ code }) => code))];
  return [
    'Cells that look damaged and are used unchanged:',
    ...codes.flatMap((code) => [
      ...suspicions
        .filter((each) => each.code === code)
        .map((each) => `${countOf(each)} ${code}, ${several ? `${each.file}, ` : ''}${cellsOf(each)}`),
      `           ${WORDS[code]}`,
    ]),
  ];
}

function countOf({ count }: Suspicion): string {
  return `${grouped(count)} ×`.padStart(10);
}

/** `column "SKU": row 4 (8.05E+12), row 9 (7.1E+12) and 12 more` */
function cellsOf({ column, count, cells }: Suspicion): string {
  const shown = cells.slice(0, MOST_SHOWN);
  const named = shown.map(({ row, text }) => `row ${row} (${text})`).join(', ');
  return `column "${column}": ${named}${count > shown.length ? ` and ${grouped(count - shown.length)} more` : ''}`;
}
