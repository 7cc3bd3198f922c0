import type { Row } from '../../model/index.ts';
import type { EvalContext } from './eval-context.ts';

const NO_ROWS: readonly Row[] = [];

/** Stops at the first match: products have tens of rows, and mostly the first one matches. */
export function firstRowWhere(
  context: EvalContext,
  holds: (context: EvalContext) => boolean,
): readonly Row[] {
  const { row } = context;
  const found = context.rows.find((each) => {
    context.row = each;
    return holds(context);
  });
  context.row = row;
  return found ? [found] : NO_ROWS;
}

export function rowsWhere(context: EvalContext, holds: (context: EvalContext) => boolean): Row[] {
  const { row } = context;
  const found = context.rows.filter((each) => {
    context.row = each;
    return holds(context);
  });
  context.row = row;
  return found;
}

/** `some` has at least one row. */
export function withRows<T>(
  context: EvalContext,
  some: readonly Row[],
  evaluate: (context: EvalContext) => T,
): T {
  const { rows, row } = context;
  [context.rows, context.row] = [some, some[0] as Row];
  const value = evaluate(context);
  [context.rows, context.row] = [rows, row];
  return value;
}
