import { restore, type Table } from '../../model/index.ts';
import { headerPattern } from './header-pattern.ts';

/**
 * Headers match as they were before a report defused them, after trimming, case folding and Unicode normalisation; runs of blanks count as one, and apostrophes are alike.
 */
export function fold(name: string): string {
  return restore(name)
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[’ʼ´`]/g, "'")
    .toLowerCase();
}

/** The columns of one file, by the names a mapping uses. */
export interface Columns {
  /** Position of the column called `name` or one of its aliases; undefined where the file lacks it. */
  find(name: string): number | undefined;
  /** What stands in a gap of the name under which a column was found: `find('Weight')`, then its `unit`. */
  gap(name: string, gap: string): string | undefined;
  /** Folded names that stand in the header more than once. */
  readonly repeated: ReadonlySet<string>;
  /** The other columns that a name with gaps could mean as well as this one. */
  rivals(position: number): readonly string[];
}

interface Found {
  readonly position: number;
  readonly gaps?: ReadonlyMap<string, string>;
}

export function columnsOf(table: Table, aliases: ReadonlyMap<string, readonly string[]>): Columns {
  const positions = new Map<string, number>();
  const repeated = new Set<string>();
  table.header.forEach((name, index) => {
    const folded = fold(name);
    if (folded === '') return;
    if (positions.has(folded)) repeated.add(folded);
    else positions.set(folded, index);
  });
  const rivals = new Map<number, readonly string[]>();
  const patterns = [...aliases].map(([name, others]) => ({
    isCalled: headerPattern(name),
    others: others.map(headerPattern),
  }));

  /** Numbers in the name that is asked for (`Option 1`) are put into its other names. */
  function find(name: string): Found | undefined {
    const position = positions.get(fold(name));
    if (position !== undefined) return { position };
    for (const { isCalled, others } of patterns) {
      const values = isCalled.match(name);
      if (!values) continue;
      for (const other of others) {
        const found = findAny(other.fill(values));
        if (found) return found;
      }
    }
    return undefined;
  }

  function findAny(name: string): Found | undefined {
    const pattern = headerPattern(name);
    if (pattern.gaps.length === 0) {
      const position = positions.get(fold(name));
      return position === undefined ? undefined : { position };
    }
    const all = table.header.flatMap((header, position) => {
      const gaps = pattern.match(header);
      return gaps ? [{ position, gaps, header }] : [];
    });
    const [first, ...others] = all;
    if (first && others.length > 0)
      rivals.set(
        first.position,
        others.map(({ header }) => header),
      );
    return first;
  }

  return {
    find: (name) => find(name)?.position,
    gap: (name, gap) => find(name)?.gaps?.get(gap),
    repeated,
    rivals: (position) => rivals.get(position) ?? [],
  };
}
