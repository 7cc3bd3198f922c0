import { isObject, type Json, type JsonObject, type Row, restore } from '../../model/index.ts';
import type { TextSteps, ValueSource } from '../mapping.ts';
import { type ItemRow, isItem } from '../rows/items.ts';
import { compileSteps } from './compile-steps.ts';
import { addIssue, type EvalContext, type NameResolver } from './eval-context.ts';

/**
 * Compiles an expression over the cells of a row. A column has its name in the file and its name in the mapping; empty
 * cells are absent. `$rows` are the rows of the whole record, `$row` and `$file` locate the row, and the parts of
 * enclosing lists are variables too.
 */
export function compileExpressionSource(
  { expression, asList = false }: Extract<ValueSource, { kind: 'expression' }>,
  rule: TextSteps,
  resolver: NameResolver,
): (context: EvalContext, name: string) => Json | undefined {
  // The file may name these columns differently. Looking them up marks them as used.
  const namedColumns = expression.names.flatMap((name): [string, number][] => {
    const position = resolver.find(name);
    return position === undefined ? [] : [[name, position]];
  });
  // Each variant of a record may use all of its rows.
  const cache = new WeakMap<Row, JsonObject>();
  const cellsOf = (row: Row) => {
    const cells = cache.get(row) ?? cellsBy(namedColumns, row);
    cache.set(row, cells);
    return cells;
  };
  const lists = new WeakMap<readonly Row[], JsonObject[]>();
  const cellsOfAll = (rows: readonly Row[]) => {
    const list = lists.get(rows) ?? rows.map(cellsOf);
    lists.set(rows, list);
    return list;
  };
  const evaluate = expression.begin();
  const transform = rule.split || rule.steps.length > 0 ? compileSteps(rule) : undefined;
  return (context, name) => {
    const { row } = context;
    const variables: JsonObject = { row: row.row, file: row.table.file };
    if (expression.usesRows) variables.rows = cellsOfAll(context.rows);
    for (const [part, { item }] of resolver.parts) variables[part] = item;
    context.at = { row, column: -1 };
    context.trace?.places.set(context.prefix + name, { ...context.at });
    const made = evaluate(cellsOf(row), variables);
    if ('code' in made) return addIssue(context, name, made);
    const { value } = made;
    if (value === undefined) return undefined;
    if (!transform) return asList ? [value].flat() : value;
    if (typeof value === 'object')
      return addIssue(context, name, {
        code: 'expression-failed',
        message: 'the expression gives no text for the steps after it',
      });
    return transform(context, String(value), name);
  };
}

type NamedColumns = readonly (readonly [name: string, position: number])[];

/** Cells that are not empty, by their names in the file and in the mapping. */
function cellsBy(columns: NamedColumns, row: Row): JsonObject {
  if (isItem(row)) return fieldsBy(columns, row);
  const { table, cells } = row;
  const cell = (name: string, index: number): [string, string][] => {
    const text = restore(cells[index] ?? '').trim();
    return text === '' || name === '' ? [] : [[name, text]];
  };
  const filled = table.header.flatMap((name, index) => cell(name.trim(), index));
  // Built from entries, so that a column called __proto__ is an ordinary one.
  return Object.fromEntries([...filled, ...columns.flatMap(([name, index]) => cell(name, index))]);
}

/** The JSON object itself. Names that are not among its fields are added: paths, or names of the mapping. */
function fieldsBy(columns: NamedColumns, { value, values }: ItemRow): JsonObject {
  const own = isObject(value) ? value : {};
  const others = columns.flatMap(([name, index]): [string, Json][] => {
    const found = Object.hasOwn(own, name) ? undefined : values[index];
    return found === undefined ? [] : [[name, found]];
  });
  return others.length === 0 ? own : Object.fromEntries([...Object.entries(own), ...others]);
}
