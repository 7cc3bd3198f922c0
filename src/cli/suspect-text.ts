import type { SuspectCode, Suspicion } from '../model/index.ts';
import { grouped } from './progress.ts';

/** Lines about what looks damaged: it was taken as it is, so somebody should look at it. */
export function suspectLines(suspicions: readonly (Suspicion & { readonly file: string })[]): string[] {
  const files = new Set(suspicions.map(({ file }) => file));
  const lines = suspicions.map(
    (each) => `           ${files.size > 1 ? `${each.file}: ` : ''}${suspicionText(each)}`,
  );
  return lines.length === 0 ? [] : ['What looks damaged, and was taken as it is:', ...lines];
}

/** For people: what the cells show, and what to do about it. */
const WORDS: Readonly<Record<SuspectCode, { readonly says: string; readonly advice: string }>> = {
  'decoded-twice': {
    says: 'letters that were decoded twice',
    advice: 'Export the file again as UTF-8, with no other program in between.',
  },
  'lost-letter': {
    says: 'letters that were lost before the file was written',
    advice: 'Export it again as UTF-8, or write them in.',
  },
  rounded: {
    says: 'numbers that a spreadsheet has rounded',
    advice: 'Their digits are lost: take them from the original, and open it with this column as text.',
  },
  'wrong-check-digit': {
    says: 'a check digit that is wrong',
    advice: 'Compare with what is printed on the goods.',
  },
  'lost-zero': {
    says: 'numbers without the zero that they begin with',
    advice: 'A spreadsheet takes it away: open the original with this column as text.',
  },
};

const MOST_SHOWN = 3;

/** `2 cells of "SKU" hold numbers that a spreadsheet has rounded: row 4 (8.05E+12), row 9 (7.1E+12). Their digits …` */
function suspicionText({ code, column, count, cells }: Suspicion): string {
  const { says, advice } = WORDS[code];
  const shown = cells.slice(0, MOST_SHOWN);
  const named = shown.map(({ row, text }) => `row ${row} (${text})`).join(', ');
  const more = count > shown.length ? ` and ${grouped(count - shown.length)} more` : '';
  return `${count === 1 ? '1 cell' : `${grouped(count)} cells`} of "${column}" with ${says}: ${named}${more}. ${advice}`;
}
