import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { refuseStale } from '../../http/index.ts';
import { existsSync } from '../../model/files/fs.ts';
import { ConfigError, removeFolder } from '../../model/index.ts';
import { runNamed, writeCorrectedRows } from '../../pipeline/index.ts';
import { importWords } from '../../report/index.ts';
import type { FixesView, FixRow, FixRows, FixRowsView } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import type { FixesToSend } from '../jobs/plan-job.ts';
import { MOST_TEXT } from '../limits.ts';
import { createTurns } from '../work/turns.ts';
import { correctedRows, type RowToSend } from './corrected-rows.ts';
import {
  type Correct,
  type CorrectedRow,
  type Correction,
  type CorrectionCount,
  correcting,
  countChanges,
} from './corrections.ts';
import type { EditLog } from './edit-log.ts';
import {
  type FixSession,
  idleRuns,
  isCurrent,
  keepChecks,
  keepEntry,
  openFixes,
  stepsIn,
} from './fix-session.ts';
import type { LedgerStates } from './ledger-state.ts';
import { type CheckedRow, checkedRowAt, digestOfCells, refusedRows } from './row-check.ts';
import type { IndexedRow, RowCheck, RowIndex } from './row-index.ts';
import { withRowNames } from './row-names.ts';

/** The rows that runs returned, with their corrections. */
export interface Fixes {
  /** Fewer rows than wanted if their texts are long, and at least one if there is one. */
  rows(
    run: string,
    wanted: { readonly from: number; readonly count: number; readonly cause?: number | undefined },
  ): Promise<FixRowsView>;
  /** `version`: see `refuseStale`. */
  edit(run: string, edit: FixRows, version?: string | null): Promise<FixesView>;
  /** Writes the records with corrections into corrected.csv, for an import. */
  toSend(run: string): Promise<FixesToSend>;
  /** Removes the files about a run that returns no rows any more. */
  drop(run: string): Promise<void>;
}

/** Characters of a cell that are shown in the grid. Longer ones cannot be edited there. */
const LONGEST_CELL = 20_000;

/** Name of the file with the corrected rows, in the folder of the reports. */
const CORRECTED_FILE = 'corrected.csv';

export function createFixes({ home, ownFolder, word }: UiContext, states: LedgerStates): Fixes {
  const folderOf = (run: string) => ownFolder('fixes', run);
  const inTurn = createTurns();
  /** The session of the last run: a page asks for one run again and again. */
  let last: FixSession | undefined;
  const versions = createVersions();

  async function sessionOf(run: string): Promise<FixSession> {
    const state = await states(run);
    if (last?.known.id === run && isCurrent(last, state, folderOf(run))) return last;
    last = await openFixes(home, state, folderOf(run));
    for (const idle of idleRuns(ownFolder('fixes'), run)) removeFiles(idle);
    return last;
  }
  function removeFiles(run: string): void {
    for (const kind of ['fixes', 'checks']) removeFolder(join(ownFolder(kind), run));
  }

  return {
    rows: (run, { from, count, cause }) =>
      inTurn(async () => {
        const session = await sessionOf(run);
        const { index, log, corrected } = session;
        const total = cause === undefined ? index.total : (index.causes[cause]?.rows ?? 0);
        const fitting = Math.max(0, Math.min(count, total - from));
        const indexes =
          cause === undefined
            ? Array.from({ length: fitting }, (_, at) => from + at)
            : await index.withCause(cause, from, fitting);
        const rows: FixRow[] = [];
        let text = 0;
        for await (const [at, row] of rowsAt(index, indexes)) {
          const shown = fixRow(at, row, session);
          text += shown.cells.reduce((sum, cell) => sum + cell.length, 0);
          if (text > MOST_TEXT && rows.length > 0) break;
          rows.push(shown);
        }
        return {
          version: versions.of(session),
          columns: index.header.slice(0, columnCount(index)),
          ...{ total, causes: index.causes, corrected, rows },
          ...undoable(log),
        };
      }),
    edit: (run, edit, version) =>
      inTurn(async () => {
        const before = await sessionOf(run);
        refuseStale(version, versions.of(before), 'These rows');
        const { session, changed } = await edited(before, edit, folderOf(run));
        last = session;
        versions.drop(before);
        return {
          version: versions.of(session),
          corrected: session.corrected,
          changed,
          ...undoable(session.log),
        };
      }),
    toSend: (name) =>
      inTurn(async () => {
        const run = await runNamed(home, name);
        const session = await sessionOf(run.id);
        if (session.corrected === 0)
          throw new ConfigError('No row was corrected yet, so there is nothing to send.', [
            'Change a wrong cell first.',
          ]);
        const folder = existsSync(run.out) ? run.out : folderOf(run.id);
        const path = join(folder, CORRECTED_FILE);
        const rows: CheckedRow[] = [];
        await writeCorrectedRows(path, session.index.header, cellsOf(correctedRows(session), rows));
        const rowOf = (row: number) => checkedRowAt(rows, row)?.row;
        return {
          words: importWords(run, [path], { shown: word, withStore: false }),
          rowOf,
          rename: (message) => withRowNames(message, rowOf),
          keepCheck: (errors) =>
            inTurn(async () => {
              const now = await sessionOf(run.id);
              // Rows have arrived meanwhile: the places of the others are not the same any more.
              if (now.index.mark !== session.index.mark) return;
              last = await keepChecks(now, await checksOf(session, rows, errors), folderOf(run.id));
            }),
        };
      }),
    drop: (run) =>
      inTurn(async () => {
        if (last?.known.id === run) last = undefined;
        removeFiles(run);
      }),
  };
}

/** The cells of rows to send. Notes the rows in `sent`. */
async function* cellsOf(
  rows: AsyncIterable<RowToSend>,
  sent: CheckedRow[],
): AsyncGenerator<readonly string[]> {
  for await (const { index, row, cells } of rows) {
    sent.push({ index, row });
    yield cells;
  }
}

/** Returns the result of a check for each row. `session`: as it was when the rows were written. */
async function checksOf(session: FixSession, rows: readonly CheckedRow[], errors: string) {
  const refused = await refusedRows(errors, rows, session.index);
  // Both are in the order of the index.
  let next = 0;
  return (at: number, row: IndexedRow): RowCheck | undefined => {
    if (rows[next]?.index !== at) return undefined;
    next++;
    const { cells } = session.correct(at, row);
    const { message, marks = [] } = refused.get(at) ?? {};
    return {
      h: digestOfCells(cells),
      ...(message === undefined ? {} : { m: message }),
      ...(marks.length === 0
        ? {}
        : { w: marks.map((column): [number, string] => [column, cells[column] ?? '']) }),
    };
  };
}

/**
 * Names the states of corrections for pages. After a restart of the server a state has another name. A check changes no
 * correction, so it leaves the name.
 */
function createVersions() {
  const names = new Map<string, { readonly mark: string; readonly name: string }>();
  return {
    of({ known, index: { mark } }: FixSession): string {
      const found = names.get(known.id);
      if (found?.mark === mark) return found.name;
      const name = randomUUID();
      names.set(known.id, { mark, name });
      return name;
    },
    drop: ({ known }: FixSession) => void names.delete(known.id),
  };
}

function undoable({ steps, at }: EditLog) {
  return { canUndo: at > 0, canRedo: at < steps.length };
}

function fixRow(index: number, row: IndexedRow, { index: rows, correct }: FixSession): FixRow {
  const corrected = correct(index, row);
  const { cells, isDropped, isHeld } = corrected;
  const { message, fits, marks } = stateOf(row, corrected);
  // Surplus cells are wrong until they are empty, also if they were changed.
  const wrong = new Set(isHeld ? [...marks, rows.ownFrom - 1] : marks);
  return {
    ...{ index, row: row.row, cause: row.cause, message, fits, marks: [...wrong], isDropped, isHeld },
    edited: corrected.edited.filter((column) => !wrong.has(column)),
    cells: cells.slice(0, columnCount(rows)).map((cell) => cell.slice(0, LONGEST_CELL)),
  };
}

/**
 * The state of a row by the latest check, if it has had these cells, or by the run. A cell that was changed since is not
 * wrong any more, as far as is known.
 */
function stateOf(
  { message, marks, c: check }: IndexedRow,
  { cells, edited }: CorrectedRow,
): { readonly message: string; readonly fits: boolean; readonly marks: readonly number[] } {
  const isChecked = check !== undefined && check.h === digestOfCells(cells);
  if (check && (isChecked || edited.length > 0)) {
    const wrong = (check.w ?? []).flatMap(([column, text]) => (cells[column] === text ? [column] : []));
    const fits = isChecked && check.m === undefined;
    return { message: check.m ?? message, fits, marks: wrong };
  }
  return { message, fits: false, marks: marks.filter((column) => !edited.includes(column)) };
}

/** The columns that are shown: those of the source, and that of surplus cells if there are any. */
function columnCount({ ownFrom, hasSurplus }: RowIndex): number {
  return hasSurplus ? ownFrom : ownFrom - 1;
}

/** Carries out an edit. A move that is not possible changes nothing. */
async function edited(
  session: FixSession,
  edit: FixRows,
  folder: string,
): Promise<{ readonly session: FixSession; readonly changed: number }> {
  const { log } = session;
  if (edit.op === 'undo' || edit.op === 'redo') {
    const moved = edit.op === 'undo' ? log.steps[log.at - 1] : log.steps[log.at];
    if (!moved) return { session, changed: 0 };
    return { session: await keepEntry(session, { move: edit.op }, folder), changed: moved.changed };
  }
  const counted = await countOf(session, edit);
  const entry = { step: edit, changed: counted.changed, corrected: session.corrected + counted.corrected };
  return { session: await keepEntry(session, entry, folder), changed: counted.changed };
}

/** Counts what a step changes. Throws ConfigError if it is not possible. */
async function countOf({ index, log, correct }: FixSession, step: Correction): Promise<CorrectionCount> {
  const after = correcting([...stepsIn(log), step], index.ownFrom);
  const refuseUnknownColumn = (column: number) => {
    if (column >= columnCount(index)) throw new ConfigError('There is no such column.', ['Reload the page.']);
  };
  if (step.op === 'replace') {
    refuseUnknownColumn(step.column);
    return countChanges(index.all(step.cause), correct, after);
  }
  const named = step.op === 'set' ? step.cells.map(({ index: at }) => at) : step.rows;
  const indexes = [...new Set(named)].sort((a, b) => a - b);
  const gone = indexes.find((at) => at >= index.total);
  if (gone !== undefined)
    throw new ConfigError(`There is no row ${gone} any more.`, ['Reload the page: rows may have arrived.']);
  const columnsOf = new Map<number, number[]>();
  if (step.op === 'set')
    for (const { index: at, column } of step.cells) {
      refuseUnknownColumn(column);
      const columns = columnsOf.get(at) ?? [];
      columns.push(column);
      columnsOf.set(at, columns);
    }
  const before: Correct = (at, row) => {
    const found = correct(at, row);
    if (columnsOf.get(at)?.some((column) => (found.cells[column]?.length ?? 0) > LONGEST_CELL))
      throw new ConfigError('This cell is too long to be edited on the page.', [
        'Correct it in the errors report of the run.',
      ]);
    return found;
  };
  return countChanges(rowsAt(index, indexes), before, after);
}

/** Rows that are in memory at once. */
const FEW_ROWS = 100;

/** Reads rows by their indexes, which ascend, a few at a time. */
async function* rowsAt(
  index: RowIndex,
  indexes: readonly number[],
): AsyncGenerator<readonly [index: number, row: IndexedRow]> {
  for (let from = 0; from < indexes.length; from += FEW_ROWS) {
    const few = indexes.slice(from, from + FEW_ROWS);
    for (const [at, row] of (await index.read(few)).entries()) yield [few[at] as number, row];
  }
}
