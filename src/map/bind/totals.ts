import type { Issue, JsonObject } from '../../model/index.ts';
import { valueAt } from '../evaluate/collected-items.ts';
import { compileRule } from '../evaluate/compile-object.ts';
import { addWarning, type EvalContext, type Evaluator, type NameResolver } from '../evaluate/eval-context.ts';
import type { Rule, TotalsCheck } from '../mapping.ts';
import { sourceColumns } from '../rows/used-columns.ts';

/** Each amount in the file may be rounded by half a cent. */
const MAX_ROUNDING = 0.005;

/**
 * Compares the amounts of an order with the total that the file has for it, and warns of each order where they differ:
 * then an amount was read twice, or is missing.
 */
export function totalsCheck(
  { total, tax }: TotalsCheck,
  resolver: NameResolver,
): (context: EvalContext, payload: JsonObject) => void {
  const readTotal = compileRule(total, resolver, 'total');
  const readTax = tax && compileRule(tax, resolver, 'tax');
  const message = messageFor(nameOf(total), tax && nameOf(tax));
  return (context, payload) => {
    const given = amountIn(context, readTotal);
    if (given === undefined) return;
    const lines = (payload.details ?? []) as JsonObject[];
    const sum = rounded(lines.reduce((before, line) => before + amountOf(line), 0) + besides(payload));
    const taxes = (readTax && amountIn(context, readTax)) ?? 0;
    const tolerance = MAX_ROUNDING * (lines.length + 2);
    if ([sum, sum + taxes].some((each) => Math.abs(each - given) <= tolerance)) return;
    const withTax = taxes > 0 ? ` and ${taxes} of tax` : '';
    const expected = Number.isNaN(given) ? 'a number' : given;
    addWarning(context, { message, found: `${sum}${withTax}, not ${expected}` });
  };
}

/** Sums of many amounts have noise that is larger than that of one product of two. */
function rounded(sum: number): number {
  return Number(sum.toFixed(6));
}

/** Reads an amount for the check only. A cell that is not a number is NaN, and not an issue of the record. */
function amountIn(context: EvalContext, evaluate: Evaluator): number | undefined {
  const issues: Issue[] = [];
  const value = evaluate({ ...context, issues, blanks: [], trace: undefined });
  return issues.length > 0 ? Number.NaN : (value as number | undefined);
}

/** A line has the price of all its pieces, else that of one. */
function amountOf(line: JsonObject): number {
  if (typeof line.price === 'number') return line.price;
  return numberAt(line, ['quantity']) * numberAt(line, ['product', 'price', 'salePrice']);
}

function besides(order: JsonObject): number {
  return numberAt(order, ['shipping', 'price']) - numberAt(order, ['discount', 'price']);
}

function numberAt(value: JsonObject, path: readonly string[]): number {
  const found = valueAt(value, path);
  return typeof found === 'number' ? found : 0;
}

function nameOf(rule: Rule): string {
  const [column] = rule.kind === 'value' ? sourceColumns(rule.source) : [];
  return column === undefined ? 'what the file has' : `"${column}"`;
}

function messageFor(total: string, tax: string | undefined): string {
  const also = tax === undefined ? '' : `, with ${tax} or without`;
  return `Lines and shipping less the discount of an order are not its total, ${total}${also}: compare the order with the file.`;
}
