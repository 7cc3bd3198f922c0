import { restore, type Table } from '../../model/index.ts';
import { type HeaderPattern, headerPattern } from './header-pattern.ts';

/**
 * Normalises a header for comparison: restores what a report defused, trims, folds case and applies NFKC. Runs of
 * blanks count as one blank, and all apostrophes are alike.
 */
export function fold(name: string): string {
  return restore(name)
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[’ʼ´`]/g, "'")
    .toLowerCase();
}

/** Finds the columns of one file by the names that a mapping uses. */
export interface Columns {
  /** Position of the column called `name` or one of its aliases; undefined if the file lacks it. */
  find(name: string): number | undefined;
  /** Text in a gap of the header that was found for `name`: `gap('Weight', 'unit')`. */
  gap(name: string, gap: string): string | undefined;
  /** Folded names that occur more than once in the header. */
  readonly repeated: ReadonlySet<string>;
  /** Other columns that match the same name with gaps as this one. */
  rivals(position: number): readonly string[];
}

interface Found {
  readonly position: number;
  readonly gaps?: ReadonlyMap<string, string>;
}

/** Positions of the columns of a header, by their folded names. */
interface FoldedHeader {
  readonly positions: ReadonlyMap<string, number>;
  /** Names that occur more than once. */
  readonly repeated: ReadonlySet<string>;
}

/** Every preset is tried on the same header, which may have 10,000 columns. */
const FOLDED = new WeakMap<readonly string[], FoldedHeader>();

function foldedHeader(header: readonly string[]): FoldedHeader {
  const known = FOLDED.get(header);
  if (known) return known;
  const positions = new Map<string, number>();
  const repeated = new Set<string>();
  header.forEach((name, index) => {
    const folded = fold(name);
    if (folded === '') return;
    if (positions.has(folded)) repeated.add(folded);
    else positions.set(folded, index);
  });
  FOLDED.set(header, { positions, repeated });
  return { positions, repeated };
}

type Aliases = Iterable<readonly [string, readonly string[]]>;

/** A column with its other names. */
interface AliasPattern {
  readonly called: HeaderPattern;
  /** The folded name if it has no gaps: it is compared, since a pattern takes longer. */
  readonly plain: string | undefined;
  readonly others: readonly string[];
}

/** A mapping reads many files, and each header is compared with all presets. */
const PATTERNS = new WeakMap<Aliases, readonly AliasPattern[]>();

function patternsOf(aliases: Aliases): readonly AliasPattern[] {
  const known = PATTERNS.get(aliases);
  if (known) return known;
  const patterns = [...aliases].map(([name, others]) => {
    const called = headerPattern(name);
    return { called, plain: called.gaps.length === 0 ? fold(name) : undefined, others };
  });
  PATTERNS.set(aliases, patterns);
  return patterns;
}

const NO_GAPS: ReadonlyMap<string, string> = new Map();

/** Texts in the gaps of a name; undefined if this is another column. */
function calledAs({ called, plain }: AliasPattern, name: string, folded: string) {
  if (plain === undefined) return called.match(name);
  return plain === folded ? NO_GAPS : undefined;
}

export function columnsOf(table: Table, aliases: Aliases): Columns {
  const { positions, repeated } = foldedHeader(table.header);
  const rivals = new Map<number, readonly string[]>();
  const patterns = patternsOf(aliases);

  /** A mapping asks for the same name in many rules. */
  const known = new Map<string, Found | undefined>();

  function find(name: string): Found | undefined {
    if (!known.has(name)) known.set(name, search(name));
    return known.get(name);
  }

  /** Numbers in the requested name (`Option 1`) are filled into its aliases. */
  function search(name: string): Found | undefined {
    const folded = fold(name);
    const position = positions.get(folded);
    if (position !== undefined) return { position };
    for (const pattern of patterns) {
      const values = calledAs(pattern, name, folded);
      if (!values) continue;
      for (const other of pattern.others) {
        const found = findAny(headerPattern(other).fill(values));
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
