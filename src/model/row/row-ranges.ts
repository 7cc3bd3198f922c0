/** Rows of a file, by the numbers that reports show. Both ends are included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Words for a value that is not a list of ranges. */
export const ROW_RANGES_WORDS = 'rows such as 4-63, 4- or -63, several with commas between them';

/** Parses `4-63,70-`. Undefined if the text is something else, or if a range ends before it begins. */
export function rowRangesIn(text: string): readonly RowRange[] | undefined {
  const ranges = text.split(',').map((part): RowRange | undefined => {
    const [, first = '', dash = '', last = ''] = /^\s*(\d{0,9})\s*(-?)\s*(\d{0,9})\s*$/.exec(part) ?? [];
    if (first === '' && last === '') return undefined;
    const from = first === '' ? 1 : Number(first);
    const to = last !== '' ? Number(last) : dash === '' ? from : Number.POSITIVE_INFINITY;
    return from >= 1 && from <= to ? { from, to } : undefined;
  });
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}
