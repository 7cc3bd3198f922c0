import type { OpenSuspicion, Row } from '../model/index.ts';
import type { Suspect } from './inspect.ts';

/** The suspect cells of a file, counted by column and code. Its size depends on the number of columns, not of cells. */
export interface Suspicions {
  /** `seq` is the index of the row's record. Records must be added in order. */
  add(seq: number, row: Pick<Row, 'row'>, suspects: readonly Suspect[]): void;
  all(): OpenSuspicion[];
}

/** With more cells, the others are counted and not listed. */
const MOST_CELLS = 10;
/** JSON objects may have any number of paths. */
const MOST_KINDS = 200;
const MOST_LETTERS = 60;

interface Kind extends OpenSuspicion {
  count: number;
  cells: { row: number; text: string }[];
  last: number;
}

/** `earlier` has the findings of records that may be read again. */
export function createSuspicions(earlier: readonly OpenSuspicion[] = []): Suspicions {
  const nameOf = ({ code, column }: Pick<Suspect, 'code' | 'column'>) => `${code} ${column}`;
  const kinds = new Map<string, Kind>(
    earlier.map((each) => [nameOf(each), { ...each, cells: [...each.cells] }]),
  );
  /** The last record for which each kind was counted before. */
  const counted = new Map(earlier.map((each) => [nameOf(each), each.last]));
  return {
    add(seq, { row }, suspects) {
      for (const suspect of suspects) {
        const name = nameOf(suspect);
        if (seq <= (counted.get(name) ?? -1)) continue;
        const { code, column, text } = suspect;
        const kind = kinds.get(name) ?? { code, column, count: 0, cells: [], last: seq };
        if (kind.count === 0 && kinds.size < MOST_KINDS) kinds.set(name, kind);
        kind.count++;
        kind.last = seq;
        if (kind.cells.length < MOST_CELLS) kind.cells.push({ row, text: text.slice(0, MOST_LETTERS) });
      }
    },
    all: () => [...kinds.values()],
  };
}
