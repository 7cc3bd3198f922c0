import {
  type MissedColumns,
  missedColumns,
  NATIVE,
  presetNames,
  type SampledColumn,
} from '../../map/index.ts';
import { isOwnColumn, type Row } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { SourceInput } from './inputs.ts';
import { peek } from './peek.ts';

/** So many rows of a file are looked at before it is read. */
const SAMPLED_ROWS = 100;

/**
 * The inputs with what their mapping leaves out and a shop would miss. Only where the header chose the mapping, or a preset
 * was named: whoever writes a mapping has decided what it leaves out.
 */
export async function lookForMissed(
  inputs: readonly SourceInput[],
  { resource, mapping }: { readonly resource: Resource; readonly mapping: string },
): Promise<readonly SourceInput[]> {
  if (mapping !== NATIVE && !presetNames().includes(mapping)) return inputs;
  const columns = new Map<string, SampledColumn & { cells: string[] }>();
  const peeked: SourceInput[] = [];
  for (const input of inputs) {
    // Whoever writes into a pipe may wait for what becomes of the first rows.
    const atLeast = input.source.size === undefined ? 1 : SAMPLED_ROWS;
    const { rows, batches } = await peek(input.source.batches, atLeast);
    addCells(columns, input, rows);
    peeked.push({ ...input, source: { ...input.source, batches } });
  }
  // Of all files together: what one of them has, another need not.
  const missed = missedColumns(resource.name, [...columns.values()]);
  if (missed.length === 0) return peeked;
  return peeked.map((input) => ({ ...input, missed: ofHeader(missed, input.source.table.header) }));
}

function addCells(
  columns: Map<string, SampledColumn & { cells: string[] }>,
  { source, binding }: SourceInput,
  rows: readonly Row[],
): void {
  const unused = new Set(binding.unused);
  const sound = rows.filter(({ issues }) => issues === undefined);
  for (const [index, name] of source.table.header.entries()) {
    if (name.trim() === '' || isOwnColumn(name)) continue;
    const column = columns.get(name) ?? { name, isUsed: !unused.has(name), cells: [] };
    columns.set(name, column);
    column.cells.push(...sound.map(({ cells }) => cells[index]?.trim() ?? '').filter((cell) => cell !== ''));
  }
}

function ofHeader(missed: readonly MissedColumns[], header: readonly string[]): MissedColumns[] {
  return missed.flatMap(({ kind, columns }) => {
    const own = columns.filter((name) => header.includes(name));
    return own.length > 0 ? [{ kind, columns: own }] : [];
  });
}
