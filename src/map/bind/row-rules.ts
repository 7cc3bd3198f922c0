import { type Json, normalisedKey, type Row, type RowLink, type RowLinks } from '../../model/index.ts';
import { compileRule } from '../evaluate/compile-object.ts';
import { holds } from '../evaluate/compile-value.ts';
import type { EvalContext } from '../evaluate/scope.ts';
import type { KinshipRule, Mapping, MappingCondition } from '../mapping.ts';
import { NO_LOOKUPS } from '../steps/index.ts';
import type { RowView } from './row-view.ts';

/** What a mapping says of single rows, before they are records. */
export interface RowRules {
  /** Whether it is no record and no part of one; undefined where all rows count. */
  readonly isSkipped?: (row: Row) => boolean;
  /** Whether it leads the rows of its record. */
  readonly isLead?: (row: Row) => boolean;
  /** Whether a row may be part of several others. */
  readonly sharesParts?: true;
  /** Which rows it names, and by what it is named. */
  readonly linksOf?: (row: Row) => RowLinks;
}

export function rowRules({ skip, lead, kinship }: Mapping, look: RowView): RowRules {
  return {
    ...(skip ? { isSkipped: rowTest(skip, look) } : {}),
    ...(lead ? { isLead: rowTest(lead, look) } : {}),
    ...(kinship ? { linksOf: takeKinship(kinship, look) } : {}),
    ...(kinship?.shared ? { sharesParts: true as const } : {}),
  };
}

/** Of a row that could not be read as it stands, nobody knows what its cells say. */
function rowTest(condition: MappingCondition, look: RowView): (row: Row) => boolean {
  const test = holds(condition, look.names);
  return (row) => row.issues === undefined && test(scopeOf(row, look));
}

function takeKinship(rules: KinshipRule, look: RowView): (row: Row) => RowLinks {
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

/** A name, or a list of them; compared after Unicode normalisation, as keys are. */
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
