/** Cells that hold items of named values: `File: a.jpg, URL: https://…|File: b.jpg, URL: https://…`. */
export interface CellPairs {
  /** Text between two items; undefined if no cell has two. */
  readonly split: string | undefined;
  readonly between: string;
  readonly equals: string;
  /** Values of each name. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const SPLITS = ['|', ';', '\n'];
const FORMS: readonly (readonly [between: string, equals: string])[] = [
  [', ', ': '],
  [',', '='],
  [';', '='],
];

/** Finds how the cells are written; undefined if they are not of this form. */
export function pairsIn(cells: readonly string[]): CellPairs | undefined {
  if (cells.length === 0) return undefined;
  const split = SPLITS.find((by) => cells.some((cell) => cell.includes(by)));
  const items = cells
    .flatMap((cell) => (split === undefined ? [cell] : cell.split(split)))
    .map((item) => item.trim());
  for (const [between, equals] of FORMS) {
    const values = new Map<string, string[]>();
    const isPairs = items.every((item) => {
      const [first = ''] = item.split(equals, 1);
      if (first === item || /[,;|]/.test(first)) return false;
      for (const pair of item.split(between)) {
        const at = pair.indexOf(equals);
        if (at < 0) continue;
        const name = pair.slice(0, at).trim();
        const known = values.get(name) ?? [];
        known.push(pair.slice(at + equals.length).trim());
        values.set(name, known);
      }
      return true;
    });
    // Free text with a colon has ever new words before it.
    if (isPairs && values.size > 0 && values.size <= 12) return { split, between, equals, values };
  }
  return undefined;
}
