import { grouped, type Suspicion } from '../../model/index.ts';
import { SUSPECT_ADVICE } from '../../report/index.ts';

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
      `           ${SUSPECT_ADVICE[code]}`,
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
