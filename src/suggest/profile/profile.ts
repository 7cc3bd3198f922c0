import { LOOKS, type Look } from './looks.ts';

/** A column of the sample, with its cells in row order. Empty cells are ''. */
export interface SampleColumn {
  readonly name: string;
  readonly cells: readonly string[];
}

/** Properties of the cells of a column. */
export interface CellProfile {
  /** Cells that are not empty, at most `MOST_CELLS`. */
  readonly filled: readonly string[];
  /** Share of rows that have a cell, 0 to 1. */
  readonly fillRate: number;
  /** Different texts among all filled cells. */
  readonly distinct: ReadonlySet<string>;
  /** Share of different texts among the filled cells, 0 to 1. */
  readonly distinctRate: number;
  /** Format of numbers that other columns of the file show; undefined if they show none. */
  readonly numberFormat?: string | undefined;
  /** The store's currency, as a person chose it of several; undefined if nobody did. */
  readonly currency?: string | undefined;
  /** Share of filled cells with this look, 0 to 1; 0 if the column is empty. */
  share(look: Look): number;
}

/** More cells show nothing new, and HTML is slow to look at. */
const MOST_CELLS = 400;

/** Words that stand for an empty cell, as databases and scripts write them. */
const NO_VALUE = new Set(['null', 'none', 'nan', 'n/a', '\\n', 'undefined']);

export function isBlankCell(cell: string): boolean {
  return cell.trim() === '' || NO_VALUE.has(cell.trim().toLowerCase());
}

export function profileCells({ cells }: SampleColumn): CellProfile {
  const all = cells.filter((cell) => !isBlankCell(cell)).map((cell) => cell.trim());
  const filled = all.length > MOST_CELLS ? spread(all, MOST_CELLS) : all;
  const distinct = new Set(all);
  const shares = new Map<Look, number>();
  return {
    filled,
    fillRate: cells.length === 0 ? 0 : all.length / cells.length,
    distinct,
    distinctRate: all.length === 0 ? 0 : distinct.size / all.length,
    share(look) {
      const known = shares.get(look);
      if (known !== undefined) return known;
      const share = filled.length === 0 ? 0 : filled.filter(LOOKS[look]).length / filled.length;
      shares.set(look, share);
      return share;
    },
  };
}

/** Takes `count` items at equal distances. */
function spread<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T);
}
