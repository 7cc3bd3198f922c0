import { type Json, originOf } from '../../model/index.ts';
import type { ValueRule } from '../mapping.ts';
import { listOr } from '../rows/items.ts';
import { chain } from '../steps/index.ts';
import type { EvalContext, NameResolver } from './scope.ts';

/** Applies the steps of a rule to a text that was read for a field. */
export type TextTransform = (scope: EvalContext, text: string, name: string) => Json | undefined;

export function applySteps(
  { split, steps }: Pick<ValueRule, 'split' | 'steps'>,
  { exact }: Pick<NameResolver, 'exact'> = {},
): TextTransform {
  const work = chain(exact && split ? { ...split, cut: listOr(split.cut) } : split, steps);
  if (!work) return (_scope, text) => text;
  return (scope, text, name) =>
    work(text, (code, message) => addIssue(scope, name, code, message), scope.outside);
}

export function addIssue(scope: EvalContext, name: string, code: string, message: string): undefined {
  const { row, column } = scope.at;
  const header = row.table.header[column];
  scope.issues.push({
    code,
    message,
    field: scope.prefix + name,
    ...(header === undefined ? {} : { column: header }),
    origin: originOf(row),
  });
  return undefined;
}
