/** A column's name with gaps in it, such as `Weight ({unit})`. */
export interface HeaderPattern {
  readonly gaps: readonly string[];
  /** What stands in the gaps of a name; undefined where the name is another. */
  match(name: string): ReadonlyMap<string, string> | undefined;
  /** The name with these gaps filled; those that are not given stay. */
  fill(values: ReadonlyMap<string, string>): string;
}

const GAP = /\{(\w+)\}/;

/** Names of columns are short; with more letters, or more gaps, it is something else. */
const LONGEST = 300;
const MOST_GAPS = 3;

export function gapsIn(name: string): string[] {
  return [...name.matchAll(new RegExp(GAP, 'g'))].map(([, gap = '']) => gap);
}

export function headerPattern(text: string): HeaderPattern {
  const gaps = gapsIn(text);
  const source = text
    .normalize('NFKC')
    .trim()
    .split(new RegExp(GAP.source.replace(/[()]/g, '')))
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, ' '))
    .join('(.+?)');
  const pattern = new RegExp(`^${source}$`, 'iu');
  return {
    gaps,
    match(name) {
      const plain = name.normalize('NFKC').trim().replace(/\s+/g, ' ');
      if (plain.length > LONGEST || gaps.length > MOST_GAPS) return undefined;
      const found = pattern.exec(plain);
      return found ? new Map(gaps.map((gap, index) => [gap, (found[index + 1] ?? '').trim()])) : undefined;
    },
    fill: (values) => text.replaceAll(new RegExp(GAP, 'g'), (gap, name: string) => values.get(name) ?? gap),
  };
}
