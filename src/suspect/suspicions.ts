import type { OpenSuspicion, Row } from '../model/index.ts';
import type { Suspect } from './inspect.ts';

/** The suspect cells of a file, counted by column and code. Its size depends on the number of columns, not of cells. */
export interface Suspicions {
  /** `seq` is the index of the row's record. Records must be added in order. */
  add(seq: number, row: Pick<Row, 'row'>, suspects: readonly Suspect[]): void;
  /** Adds the findings in the records from `seq` on, which are numbered from 0 there. */
  merge(found: readonly OpenSuspicion[], seq: number): void;
  /** In the order of the first record with each, whatever the batches are. */
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

/**
 * `earlier` has the findings of records that may be read again. `mostKinds`: a part of a file keeps all, since the whole
 * may know other ones.
 */
export function createSuspicions(earlier: readonly OpenSuspicion[] = [], mostKinds = MOST_KINDS): Suspicions {
  const nameOf = ({ code, column }: Pick<Suspect, 'code' | 'column'>) => `${code} ${column}`;
  const kinds = new Map<string, Kind>(
    earlier.map((each) => [nameOf(each), { ...each, cells: [...each.cells] }]),
  );
  /** The last record for which each kind was counted before. */
  const counted = new Map(earlier.map((each) => [nameOf(each), each.last]));
  const firsts = new Map<Kind, number>();

  /** The kind of a cell; one that is not kept if there are too many. */
  function kindOf({ code, column }: Pick<Suspect, 'code' | 'column'>, seq: number): Kind {
    const name = nameOf({ code, column });
    const known = kinds.get(name);
    if (known) return known;
    const kind: Kind = { code, column, count: 0, cells: [], last: seq };
    if (kinds.size < mostKinds) {
      kinds.set(name, kind);
      firsts.set(kind, seq);
    }
    return kind;
  }

  return {
    add(seq, { row }, suspects) {
      for (const suspect of suspects) {
        const name = nameOf(suspect);
        if (seq <= (counted.get(name) ?? -1)) continue;
        const kind = kindOf(suspect, seq);
        kind.count++;
        kind.last = seq;
        if (kind.cells.length < MOST_CELLS)
          kind.cells.push({ row, text: suspect.text.slice(0, MOST_LETTERS) });
      }
    },
    merge(found, seq) {
      for (const each of found) {
        const kind = kindOf(each, seq);
        kind.count += each.count;
        kind.last = seq + each.last;
        kind.cells.push(...each.cells.slice(0, MOST_CELLS - kind.cells.length));
      }
    },
    all: () => [...kinds.values()].sort((a, b) => (firsts.get(a) ?? -1) - (firsts.get(b) ?? -1)),
  };
}
