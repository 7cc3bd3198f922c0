import { type MissedColumns, missedColumns, type SampledColumn } from '../../map/index.ts';
import { identifierIn, isOwnColumn, type Row } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { InputFile } from './inputs.ts';

/** Rows of a file that are sampled before it is read. */
const SAMPLED_ROWS = 100;

/** Adds to each input the columns that a shop would miss and that the mapping leaves out. */
export async function addMissedColumns(
  files: readonly InputFile[],
  resource: Resource,
): Promise<readonly InputFile[]> {
  const columns = new Map<string, SampledColumn & { cells: string[] }>();
  const peeked: InputFile[] = [];
  for (const input of files) {
    // The writer of a pipe may wait for the results of the first rows.
    const atLeast = input.source.size === undefined ? 1 : SAMPLED_ROWS;
    const { rows, batches } = await peek(input.source.batches, atLeast);
    addCells(columns, input, rows);
    peeked.push({ ...input, source: { ...input.source, batches } });
  }
  // All files together: a column that one of them has need not be in another.
  const missed = missedColumns(resource.name, [...columns.values()]);
  if (missed.length === 0) return peeked;
  return peeked.map((input) => ({ ...input, missed: ofHeader(missed, input.source.table.header) }));
}

function addCells(
  columns: Map<string, SampledColumn & { cells: string[] }>,
  { source, binding }: InputFile,
  rows: readonly Row[],
): void {
  const unused = new Set(binding.unused);
  const sound = rows.filter(({ issues }) => issues === undefined);
  for (const [index, name] of source.table.header.entries()) {
    if (name.trim() === '' || isOwnColumn(name)) continue;
    const column = columns.get(name) ?? { name, isUsed: !unused.has(name), cells: [] };
    columns.set(name, column);
    column.cells.push(...sound.map((row) => identifierIn(row, index)).filter((cell) => cell !== ''));
  }
}

function ofHeader(missed: readonly MissedColumns[], header: readonly string[]): MissedColumns[] {
  return missed.flatMap(({ kind, columns }) => {
    const own = columns.filter((name) => header.includes(name));
    return own.length > 0 ? [{ kind, columns: own }] : [];
  });
}

/**
 * Reads the first rows ahead of their consumer. An error while reading is thrown later, after the consumer has received
 * the rows before it.
 */
export async function peek(
  batches: AsyncIterable<Row[]>,
  atLeast: number,
): Promise<{ readonly rows: readonly Row[]; readonly batches: AsyncIterable<Row[]> }> {
  const iterator = batches[Symbol.asyncIterator]();
  const first: Row[][] = [];
  const rows: Row[] = [];
  let failure: unknown;
  let isAtEnd = false;
  try {
    while (rows.length < atLeast && !isAtEnd) {
      const next = await iterator.next();
      isAtEnd = next.done === true;
      if (next.done) break;
      first.push(next.value);
      rows.push(...next.value);
    }
  } catch (error) {
    failure = error;
  }
  async function* all(): AsyncGenerator<Row[]> {
    try {
      while (first.length > 0) yield first.shift() as Row[];
      if (failure !== undefined) throw failure;
      for (;;) {
        if (isAtEnd) return;
        const next = await iterator.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { rows, batches: all() };
}
