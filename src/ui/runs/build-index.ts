import { createHash } from 'node:crypto';
import { generalField, type KeptRow } from '../../model/index.ts';
import { causeKey, openReturnedOf, type ReturnedOfRun, type ReturnedResult } from '../../pipeline/index.ts';
import type { CauseView } from '../api/index.ts';
import type { Correct } from './corrections.ts';

import type { IndexedRow, RowCheck, RowIndex } from './row-index.ts';
import { withRowNames } from './row-names.ts';
import { writeIndex } from './write-index.ts';

/** The index before, with what a person did to its rows. */
export interface CorrectedIndex {
  readonly index: RowIndex;
  readonly correct: Correct;
}

export interface BuildOptions {
  readonly home: string;
  readonly run: string;
  /** Folder of the indexes of the run. */
  readonly folder: string;
  /** State of the ledger. */
  readonly mark: string;
  /** Its corrections are carried over to the rows that are still the same. */
  readonly before: CorrectedIndex | undefined;
}

/** Writes an index of the rows that a run returns now, beside those before. Resolves with its folder. */
export async function buildIndex({ home, run, folder, mark, before }: BuildOptions): Promise<string> {
  const returned = await openReturnedOf(home, run);
  try {
    const { header, ownFrom } = returned.table;
    return await writeIndex(folder, ownFrom + 1, async (writer) => {
      const carry = carrierOf(before);
      const causes = createCauses();
      const shared = new Map<string, number>();
      let hasSurplus = false;
      for await (const record of returned.records) {
        const cause = causes.of(record);
        const elsewhere = record.elsewhere.flatMap((row) => shared.get(sharedName(row)) ?? []);
        const first = writer.total;
        for (const [k, row] of record.rows.entries()) {
          if (row.shared) shared.set(sharedName(row), writer.total);
          const indexed = rowOf(returned, record, row);
          hasSurplus ||= indexed.cells[ownFrom] !== '';
          const place = { n: record.result.seq, k, f: first, cause };
          const x = elsewhere.length > 0 ? { x: elsewhere } : {};
          await writer.add({ ...place, ...x, ...indexed, ...(await carry({ ...place, ...indexed })) });
        }
      }
      return {
        ...{ mark, hasSurplus, causes: causes.list, hasShared: shared.size > 0 },
        ...{ header: withSurplusAside(header, ownFrom), ownFrom: ownFrom + 1 },
      };
    });
  } finally {
    await returned.close();
  }
}

/**
 * Writes an index of the same rows, with these corrections as a part of the rows. `writeBeside`: writes further files
 * into its folder, before that appears. `checkOf`: finds what a check found; left out, the rows keep that of the latest.
 */
export async function rewriteIndex(
  folder: string,
  { index, correct }: CorrectedIndex,
  {
    writeBeside,
    checkOf = (_at, { c }) => c,
  }: {
    readonly writeBeside: (folder: string) => Promise<void>;
    readonly checkOf?: (at: number, row: IndexedRow) => RowCheck | undefined;
  },
): Promise<string> {
  return writeIndex(folder, index.ownFrom, async (writer) => {
    for await (const [at, row] of index.all()) {
      const { e: _e, d: _d, c: _c, ...bare } = row;
      const c = checkOf(at, row);
      await writer.add({ ...bare, ...correctionsOf(at, row, correct), ...(c ? { c } : {}) });
    }
    await writeBeside(writer.folder);
    const { mark, header, ownFrom, causes, hasShared, hasSurplus } = index;
    return {
      mark,
      header,
      ownFrom,
      hasShared,
      hasSurplus,
      causes: causes.map((cause) => ({ ...cause, rows: 0 })),
    };
  });
}

/** Identifies a row that records share. A digest, since all such rows of a run are remembered. */
function sharedName({ row, cells }: KeptRow): string {
  return createHash('sha256')
    .update(JSON.stringify([row, cells]))
    .digest('base64');
}

/** Moves the last column of errors.csv, the surplus cells, beside the columns of the source, where a person sees it. */
function withSurplusAside(cells: readonly string[], ownFrom: number): string[] {
  return [...cells.slice(0, ownFrom), cells.at(-1) ?? '', ...cells.slice(ownFrom, -1)];
}

function rowOf(
  { known, table }: ReturnedOfRun,
  { result, rows }: ReturnedResult,
  row: KeptRow,
): Pick<IndexedRow, 'row' | 'message' | 'cells' | 'marks'> {
  const { header, ownFrom } = table;
  const marks = table.marks(result)(row) ?? [];
  // A record that was imported again has the rows of that file. The run itself knows only the number of its first row.
  const number = result.supersededBy && rows.length === 1 ? result.row : row.row;
  return {
    row: number,
    message: withRowNames(result.outcome.message ?? '', (named) => (named === row.row ? number : undefined)),
    cells: withSurplusAside(table.line(result.supersededBy?.run ?? known.id, row, result), ownFrom),
    marks: marks.flatMap(({ column }) =>
      column === header.length - 1 ? [ownFrom] : column < ownFrom ? [column] : [],
    ),
  };
}

/** Makes the corrections of a row a part of the row. */
function correctionsOf(index: number, row: IndexedRow, correct: Correct): Pick<IndexedRow, 'e' | 'd'> {
  const { cells, edited, isDropped } = correct(index, row);
  return {
    ...(edited.length > 0
      ? { e: edited.map((column): [number, string] => [column, cells[column] ?? '']) }
      : {}),
    ...(isDropped ? { d: 1 } : {}),
  };
}

/** Finds the corrections of each row in the index before. Both are in the order of their records. */
function carrierOf(before: CorrectedIndex | undefined) {
  const rows = before?.index.all();
  /** The next row has to be read. It is read only when it is awaited: nobody would handle an error before that. */
  let isPassed = true;
  let current: readonly [index: number, row: IndexedRow] | undefined;
  const isBefore = (a: IndexedRow, b: Pick<IndexedRow, 'n' | 'k'>) => a.n < b.n || (a.n === b.n && a.k < b.k);
  return async (row: Pick<IndexedRow, 'n' | 'k' | 'cells'>): Promise<Pick<IndexedRow, 'e' | 'd' | 'c'>> => {
    if (!before || !rows) return {};
    for (;;) {
      if (isPassed) {
        const { done, value } = await rows.next();
        isPassed = false;
        current = done ? undefined : value;
      }
      if (!current || !isBefore(current[1], row)) break;
      isPassed = true;
    }
    if (current?.[1].n !== row.n || current[1].k !== row.k) return {};
    const [index, old] = current;
    // A row with other cells was imported again meanwhile, with the corrections or with others.
    const isSame = old.cells
      .slice(0, before.index.ownFrom)
      .every((cell, column) => cell === row.cells[column]);
    if (!isSame) return {};
    return { ...correctionsOf(index, old, before.correct), ...(old.c ? { c: old.c } : {}) };
  };
}

/** Most causes that differ by messages. Further rows share a cause by outcome and code, which are few. */
const MOST_CAUSES = 1000;

function createCauses() {
  const list: CauseView[] = [];
  const known = new Map<string, number>();
  return {
    list,
    of({ result: { outcome } }: ReturnedResult): number {
      const { outcome: status, code = '', field = '', message = '', id, kinds } = outcome;
      const [kind = { code, field, example: message }] = kinds ?? [];
      const isNew = (key: string) => !known.has(key);
      let key = causeKey(status, { ...kind, id });
      if (isNew(key) && list.length >= MOST_CAUSES) key = `${status}\n${kind.code}`;
      if (isNew(key)) {
        known.set(key, list.length);
        list.push({
          ...{ cause: list.length, outcome: status, code: kind.code, rows: 0 },
          field: generalField(kind.field ?? ''),
          example: kind.example,
        });
      }
      return known.get(key) as number;
    },
  };
}
