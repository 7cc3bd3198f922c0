import type { OpenSuspicion, Row } from '../model/index.ts';
import type { Suspect } from './inspect.ts';

/** What was suspect in a file. Its size depends on how many columns there are, not on cells. */
export interface Suspicions {
  /** `seq`: of the row's record. Records come in their order. */
  add(seq: number, row: Pick<Row, 'row'>, suspects: readonly Suspect[]): void;
  all(): OpenSuspicion[];
}

/** Beyond this many, cells are counted and not listed. */
const MOST_CELLS = 10;
/** Objects of JSON may have any number of paths. */
const MOST_KINDS = 200;
const MOST_LETTERS = 60;

interface Kind extends OpenSuspicion {
  count: number;
  cells: { row: number; text: string }[];
  last: number;
}

/** `earlier`: what was found in records that may be read again. */
export function createSuspicions(earlier: readonly OpenSuspicion[] = []): Suspicions {
  const nameOf = ({ code, column }: Pick<Suspect, 'code' | 'column'>) => `${code} ${column}`;
  const kinds = new Map<string, Kind>(
    earlier.map((each) => [nameOf(each), { ...each, cells: [...each.cells] }]),
  );
  /** Up to where they were counted before. */
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
