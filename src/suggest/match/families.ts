/** The text before the first number in a name, the number, and the text behind it. */
const NUMBERED = /^(.*?\D|)(\d{1,3})(\D.*|)$/s;

/** Columns whose names differ only in their first number. One column can be a family. */
export interface Family {
  /** The common name, with `{n}` in place of the number. */
  readonly pattern: string;
  readonly numbers: readonly string[];
  readonly positions: readonly number[];
}

/** Finds families, in the order of their numbers. Their columns need not be neighbours: `Option1 Name`, `Option1 Value`, `Option2 Name`. */
export function familiesIn(names: readonly string[]): Family[] {
  const found = new Map<string, { numbers: string[]; positions: number[] }>();
  names.forEach((name, position) => {
    const [, before, number, after] = NUMBERED.exec(name) ?? [];
    if (number === undefined) return;
    const pattern = `${before}{n}${after}`;
    const family = found.get(pattern) ?? { numbers: [], positions: [] };
    family.numbers.push(number);
    family.positions.push(position);
    found.set(pattern, family);
  });
  return [...found].map(([pattern, { numbers, positions }]) => {
    const order = [...numbers.keys()].sort((a, b) => Number(numbers[a]) - Number(numbers[b]));
    return {
      pattern,
      numbers: order.map((n) => numbers[n] as string),
      positions: order.map((n) => positions[n] as number),
    };
  });
}
