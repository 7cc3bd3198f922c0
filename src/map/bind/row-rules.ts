import { type Json, normalisedKey, type Row, type RowLink, type RowLinks } from '../../model/index.ts';
import { compileRule } from '../evaluate/compile-object.ts';
import { holds } from '../evaluate/compile-value.ts';
import type { EvalContext } from '../evaluate/scope.ts';
import type { KinshipRule, Mapping, MappingCondition } from '../mapping.ts';
import { NO_LOOKUPS } from '../steps/index.ts';
import type { RowView } from './row-view.ts';

/** Rules of a mapping about single rows, before they are grouped into records. */
export interface RowRules {
  /** True if the row is neither a record nor a part of one; undefined if the mapping skips no rows. */
  readonly isSkipped?: (row: Row) => boolean;
  /** True if the row may lead its record; the first such row does. */
  readonly isLead?: (row: Row) => boolean;
  /** A row may be part of several others. */
  readonly sharesParts?: true;
  /** The names of a row, and the rows that it names. */
  readonly linksOf?: (row: Row) => RowLinks;
}

export function rowRules({ skip, lead, kinship }: Mapping, look: RowView): RowRules {
  return {
    ...(skip ? { isSkipped: rowTest(skip, look) } : {}),
    ...(lead ? { isLead: rowTest(lead, look) } : {}),
    ...(kinship ? { linksOf: compileKinship(kinship, look) } : {}),
    ...(kinship?.shared ? { sharesParts: true as const } : {}),
  };
}

/** False for a row that could not be parsed, since its cells may be in the wrong columns. */
function rowTest(condition: MappingCondition, look: RowView): (row: Row) => boolean {
  const test = holds(condition, look.names);
  return (row) => row.issues === undefined && test(scopeOf(row, look));
}

function compileKinship(rules: KinshipRule, look: RowView): (row: Row) => RowLinks {
  const { names, header } = look;
  const ownNames = rules.names.map((rule) => compileRule(rule, names, 'name'));
  const parent = rules.parent && compileRule(rules.parent, names, 'parent');
  const parts = rules.parts && compileRule(rules.parts, names, 'parts');
  const named = (value: Json | undefined, scope: EvalContext): RowLink[] => {
    const column = header[scope.at.column];
    return textsIn(value).map((name) => ({ name, column }));
  };
  return (row) => {
    const scope = scopeOf(row, look);
    const own = ownNames.flatMap((take) => textsIn(take(scope)));
    const [of] = parent ? named(parent(scope), scope) : [];
    return { names: own, parent: of, parts: parts ? named(parts(scope), scope) : [], issues: scope.issues };
  };
}

/** Normalises a name, or a list of names, as keys are (Unicode), so that they compare equal. */
function textsIn(value: Json | undefined): string[] {
  return [value ?? []].flat().map((text) => normalisedKey(String(text)));
}

function scopeOf(read: Row, look: RowView): EvalContext {
  const rows = look.rowsOf([read]);
  const [row = read] = rows;
  return {
    rows,
    row,
    prefix: '',
    at: { row, column: -1 },
    issues: [],
    blanks: [],
    outside: NO_LOOKUPS,
    warnings: undefined,
  };
}
