import type { IndexedRow } from './row-index.ts';

/** One step of a person that can be undone. A replacement in 100,000 rows is one step too. */
export type Correction =
  | { readonly op: 'set'; readonly cells: readonly SetCell[] }
  | {
      readonly op: 'replace';
      readonly column: number;
      /** Every occurrence is replaced. An empty text matches empty cells. */
      readonly find: string;
      readonly text: string;
      /** Undefined for all rows. */
      readonly cause?: number | undefined;
    }
  | { readonly op: 'drop' | 'keep'; readonly rows: readonly number[] };

export interface SetCell {
  readonly index: number;
  readonly column: number;
  readonly text: string;
}

/** A row as it is after all corrections. */
export interface CorrectedRow {
  readonly cells: readonly string[];
  /** Columns that have another text than the run returned. */
  readonly edited: readonly number[];
  readonly isDropped: boolean;
  /** It still has surplus cells, so it is not sent: a value of the shop would be lost. */
  readonly isHeld: boolean;
}

export type Correct = (index: number, row: IndexedRow) => CorrectedRow;

/** A step in the order of all, as far as one row is concerned. */
type RowStep =
  | { readonly at: number; readonly column: number; readonly text: string }
  | { readonly at: number; readonly isDropped: boolean };
type Replacement = Extract<Correction, { op: 'replace' }> & { readonly at: number };

/**
 * Makes the function that corrects a row. It looks at the steps that concern the row alone, and at replacements.
 * `ownFrom`: see `IndexFacts`.
 */
export function correcting(steps: readonly Correction[], ownFrom: number): Correct {
  const byRow = new Map<number, RowStep[]>();
  const replacements: Replacement[] = [];
  const add = (index: number, step: RowStep) => {
    const known = byRow.get(index);
    if (known) known.push(step);
    else byRow.set(index, [step]);
  };
  for (const [at, step] of steps.entries())
    if (step.op === 'replace') replacements.push({ ...step, at });
    else if (step.op === 'set')
      for (const { index, column, text } of step.cells) add(index, { at, column, text });
    else for (const index of step.rows) add(index, { at, isDropped: step.op === 'drop' });

  return (index, row) => {
    const cells = [...row.cells];
    let isDropped = row.d === 1;
    for (const [column, text] of row.e ?? []) cells[column] = text;
    for (const step of merged(byRow.get(index) ?? [], replacements))
      if ('find' in step) {
        if (step.cause === undefined || step.cause === row.cause)
          cells[step.column] = replaced(cells[step.column] ?? '', step);
      } else if ('column' in step) cells[step.column] = step.text;
      else isDropped = step.isDropped;
    const edited = cells.flatMap((cell, column) => (cell === (row.cells[column] ?? '') ? [] : [column]));
    return { cells, edited, isDropped, isHeld: (cells[ownFrom - 1] ?? '').trim() !== '' };
  };
}

/** Both are in the order of the steps. */
function merged(
  own: readonly RowStep[],
  replacements: readonly Replacement[],
): readonly (RowStep | Replacement)[] {
  if (own.length === 0) return replacements;
  if (replacements.length === 0) return own;
  return [...own, ...replacements].sort((a, b) => a.at - b.at);
}

/** Characters of the longest cell. Replacements of replacements would fill the memory otherwise. */
const LONGEST_CELL = 1_000_000;

function replaced(cell: string, { find, text }: Replacement): string {
  if (find === '') return cell === '' ? text : cell;
  const parts = cell.split(find);
  const length = cell.length + (parts.length - 1) * (text.length - find.length);
  return length > LONGEST_CELL ? cell : parts.join(text);
}

/** Result of a step: rows with corrections that can be sent, more or fewer, and cells that it changed. */
export interface CorrectionCount {
  readonly corrected: number;
  readonly changed: number;
}

/** Compares rows before and after a step. */
export async function countChanges(
  rows: AsyncIterable<readonly [index: number, row: IndexedRow]>,
  before: Correct,
  after: Correct,
): Promise<CorrectionCount> {
  let [corrected, changed] = [0, 0];
  for await (const [index, row] of rows) {
    const [old, now] = [before(index, row), after(index, row)];
    corrected += Number(isCorrected(now)) - Number(isCorrected(old));
    for (const [column, cell] of now.cells.entries()) if (cell !== (old.cells[column] ?? '')) changed++;
  }
  return { corrected, changed };
}

/** True for a row with corrections that can be sent. */
export function isCorrected({ edited, isDropped, isHeld }: CorrectedRow): boolean {
  return edited.length > 0 && !isDropped && !isHeld;
}
