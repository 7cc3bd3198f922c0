import { type Json, normalisedKey, type Row, type RowLink, type RowLinks } from '../../model/index.ts';
import { compileRule } from '../evaluate/compile-object.ts';
import { holds } from '../evaluate/compile-value.ts';
import type { EvalContext } from '../evaluate/eval-context.ts';
import type { LinkRules, Mapping, MappingCondition, SkipRule } from '../mapping.ts';
import { NO_LOOKUPS } from '../steps/index.ts';
import type { RowView } from './row-view.ts';

/** Rules of a mapping about single rows, before they are grouped into records. */
export interface RowRules {
  /** True if the row is neither a record nor a part of one; undefined if the mapping skips no rows. */
  readonly isSkipped?: (row: Row) => boolean;
  /** True if rows below a skipped one continue the row above it; undefined if none do. */
  readonly isSkippedAlone?: (row: Row) => boolean;
  /** True if the row may lead its record; the first such row does. */
  readonly isLead?: (row: Row) => boolean;
  /** A row may be part of several others. */
  readonly sharesParts?: true;
  /** The names of a row, and the rows that it names. */
  readonly linksOf?: (row: Row) => RowLinks;
}

export function rowRules({ skip, lead, links }: Mapping, view: RowView): RowRules {
  return {
    ...(skip ? { isSkipped: skipTest(skip, view) } : {}),
    ...(skip?.some(({ alone }) => alone)
      ? {
          isSkippedAlone: skipTest(
            skip.filter(({ alone }) => alone),
            view,
          ),
        }
      : {}),
    ...(lead ? { isLead: rowTest(lead, view) } : {}),
    ...(links ? { linksOf: compileLinks(links, view) } : {}),
    ...(links?.shared ? { sharesParts: true as const } : {}),
  };
}

/** False for a row that could not be parsed, since its cells may be in the wrong columns. */
function rowTest(condition: MappingCondition, view: RowView): (row: Row) => boolean {
  const test = holds(condition, view.resolver);
  return (row) => row.issues === undefined && test(contextOf(row, view));
}

/** True if one of the rules holds. */
function skipTest(rules: readonly SkipRule[], view: RowView): (row: Row) => boolean {
  const tests = rules.map(({ when }) => rowTest(when, view));
  return (row) => tests.some((test) => test(row));
}

function compileLinks(rules: LinkRules, view: RowView): (row: Row) => RowLinks {
  const { resolver, header } = view;
  const ownNames = rules.names.map((rule) => compileRule(rule, resolver, 'name'));
  const parent = rules.parent && compileRule(rules.parent, resolver, 'parent');
  const parts = rules.parts && compileRule(rules.parts, resolver, 'parts');
  const named = (value: Json | undefined, context: EvalContext): RowLink[] => {
    const column = header[context.at.column];
    return textsIn(value).map((name) => ({ name, column }));
  };
  return (row) => {
    const context = contextOf(row, view);
    const own = ownNames.flatMap((evaluate) => textsIn(evaluate(context)));
    const [of] = parent ? named(parent(context), context) : [];
    return {
      names: own,
      parent: of,
      parts: parts ? named(parts(context), context) : [],
      issues: context.issues,
    };
  };
}

/** Normalises a name, or a list of names, as keys are (Unicode), so that they compare equal. */
function textsIn(value: Json | undefined): string[] {
  return [value ?? []].flat().map((text) => normalisedKey(String(text)));
}

function contextOf(read: Row, view: RowView): EvalContext {
  const rows = view.rowsOf([read]);
  const [row = read] = rows;
  return {
    rows,
    row,
    prefix: '',
    at: { row, column: -1 },
    issues: [],
    blanks: [],
    lookups: NO_LOOKUPS,
    warnings: undefined,
  };
}
