import { normalisedKey, type Row } from '../../model/index.ts';
import type { EvalContext, NameResolver } from './eval-context.ts';
import { readNamed } from './read-text.ts';

/**
 * Compiles the columns of a list over groups to the function that divides the rows of a record: rows with the same texts
 * are together, in the order of their first rows. Rows without any of the texts are in none.
 */
export function compileGroups(
  by: readonly string[],
  resolver: NameResolver,
): (context: EvalContext) => Iterable<readonly Row[]> {
  const reads = by.map((column) => readNamed(column, resolver, true));
  return (context) => rowsByTexts(context.rows, (row) => reads.map((read) => read(context, row)));
}

/** Divides rows by their texts, in the order of the first rows. Rows without any text are in no group. */
export function rowsByTexts(
  rows: readonly Row[],
  textsOf: (row: Row) => readonly string[],
): Iterable<readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const texts = textsOf(row);
    if (texts.every((text) => text === '')) continue;
    const key = normalisedKey(JSON.stringify(texts));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups.values();
}
