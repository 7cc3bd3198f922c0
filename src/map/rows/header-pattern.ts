/** A column name with gaps, such as `Weight ({unit})`. */
export interface HeaderPattern {
  readonly gaps: readonly string[];
  /** Texts in the gaps of `name`; undefined if the name does not match. */
  match(name: string): ReadonlyMap<string, string> | undefined;
  /** The name with its gaps filled. Gaps without a value are kept. */
  fill(values: ReadonlyMap<string, string>): string;
}

const GAP = /\{(\w+)\}/;

/** Limits the cost of matching. Column names are short and have few gaps; anything beyond is not a column name. */
const LONGEST = 300;
const MOST_GAPS = 3;

export function gapsIn(name: string): string[] {
  return [...name.matchAll(new RegExp(GAP, 'g'))].map(([, gap = '']) => gap);
}

export function headerPattern(text: string): HeaderPattern {
  const gaps = gapsIn(text);
  let pattern: RegExp | undefined;
  return {
    gaps,
    match(name) {
      const plain = name.normalize('NFKC').trim().replace(/\s+/g, ' ');
      if (plain.length > LONGEST || gaps.length > MOST_GAPS) return undefined;
      // Most patterns are only filled.
      pattern ??= expressionFor(text);
      const found = pattern.exec(plain);
      return found ? new Map(gaps.map((gap, index) => [gap, (found[index + 1] ?? '').trim()])) : undefined;
    },
    fill: (values) => text.replaceAll(new RegExp(GAP, 'g'), (gap, name: string) => values.get(name) ?? gap),
  };
}

function expressionFor(text: string): RegExp {
  const source = text
    .normalize('NFKC')
    .trim()
    .split(new RegExp(GAP.source.replace(/[()]/g, '')))
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, ' '))
    .join('(.+?)');
  return new RegExp(`^${source}$`, 'iu');
}
