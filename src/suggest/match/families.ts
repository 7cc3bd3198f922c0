/** A name with one number in it, as the text before, the number and the text behind. */
const NUMBERED = /^(.*?\D|)(\d{1,3})(\D.*|)$/s;

/** Columns whose names differ by a number. */
export interface Family {
  /** The common name, with `{n}` in place of the number. */
  readonly pattern: string;
  readonly numbers: readonly string[];
  readonly positions: readonly number[];
}

/**
 * Finds columns whose names differ by a number only. The columns of one family need not be neighbours: `Option1 Name`,
 * `Option1 Value`, `Option2 Name`.
 */
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
  return [...found].map(([pattern, family]) => ({ pattern, ...family }));
}
