import { isObject, type Json, type JsonObject, type Row, restore } from '../../model/index.ts';
import type { ValueRule, ValueSource } from '../mapping.ts';
import { type ItemRow, isItem } from '../rows/items.ts';
import type { EvalContext, NameResolver } from './scope.ts';
import { addIssue, applySteps } from './work.ts';

/**
 * Compiles an expression over the cells of a row. Columns have their names in the file and those in the expression;
 * empty cells are absent. `$rows` are the rows of the whole record, `$row` and `$file` locate the row, and the parts of
 * enclosing lists are variables too.
 */
export function takeExpression(
  { expression, asList = false }: Extract<ValueSource, { kind: 'expression' }>,
  rule: Pick<ValueRule, 'split' | 'steps'>,
  names: NameResolver,
): (scope: EvalContext, name: string) => Json | undefined {
  // Columns that the file names differently. Looking them up marks them as used.
  const called = expression.names.flatMap((name): [string, number][] => {
    const position = names.find(name);
    return position === undefined ? [] : [[name, position]];
  });
  /** Cached, since each variant of a record may use all of its rows. */
  const known = new WeakMap<Row, JsonObject>();
  const cellsOf = (row: Row) => {
    const cells = known.get(row) ?? cellsBy(called, row);
    known.set(row, cells);
    return cells;
  };
  const work = rule.split || rule.steps.length > 0 ? applySteps(rule) : undefined;
  return (scope, name) => {
    const { row } = scope;
    const variables: JsonObject = { row: row.row, file: row.table.file };
    if (expression.usesRows) variables.rows = scope.rows.map(cellsOf);
    for (const [part, { item }] of names.parts) variables[part] = item;
    scope.at = { row, column: -1 };
    scope.trace?.places.set(scope.prefix + name, { ...scope.at });
    const made = expression.evaluate(cellsOf(row), variables);
    if ('code' in made) return addIssue(scope, name, made.code, made.message);
    const { value } = made;
    if (value === undefined) return undefined;
    if (!work) return asList ? [value].flat() : value;
    if (typeof value === 'object')
      return addIssue(
        scope,
        name,
        'expression-failed',
        'the expression gives no text for the steps behind it',
      );
    return work(scope, String(value), name);
  };
}

type Called = readonly (readonly [name: string, position: number])[];

function cellsBy(called: Called, row: Row): JsonObject {
  if (isItem(row)) return fieldsBy(called, row);
  const { table, cells } = row;
  const cell = (name: string, index: number): [string, string][] => {
    const text = restore(cells[index] ?? '').trim();
    return text === '' || name === '' ? [] : [[name, text]];
  };
  const filled = table.header.flatMap((name, index) => cell(name.trim(), index));
  // Built from entries, so that a column called __proto__ is an ordinary one.
  return Object.fromEntries([...filled, ...called.flatMap(([name, index]) => cell(name, index))]);
}

/** The JSON object itself. Names that are not among its fields are added: paths, or names of the mapping. */
function fieldsBy(called: Called, { value, values }: ItemRow): JsonObject {
  const own = isObject(value) ? value : {};
  const others = called.flatMap(([name, index]): [string, Json][] => {
    const found = Object.hasOwn(own, name) ? undefined : values[index];
    return found === undefined ? [] : [[name, found]];
  });
  return others.length === 0 ? own : Object.fromEntries([...Object.entries(own), ...others]);
}
