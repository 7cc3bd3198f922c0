import { type Json, type Kinship, type NamedRow, normalisedKey, type Row } from '../../model/index.ts';
import { takeRule } from '../evaluate/compile-object.ts';
import { holds } from '../evaluate/compile-value.ts';
import type { Scope } from '../evaluate/scope.ts';
import type { Condition, KinshipRule, Mapping } from '../mapping.ts';
import { NOTHING_OUTSIDE } from '../steps/index.ts';
import type { Look } from './row-view.ts';

/** What a mapping says of single rows, before they are records. */
export interface RowRules {
  /** Whether it is no record and no part of one; undefined where all rows count. */
  readonly isSkipped?: (row: Row) => boolean;
  /** Whether it leads the rows of its record. */
  readonly isLead?: (row: Row) => boolean;
  /** Whether a row may be part of several others. */
  readonly sharesParts?: true;
  /** Which rows it names, and by what it is named. */
  readonly kinOf?: (row: Row) => Kinship;
}

export function rowRules({ skip, lead, kinship }: Mapping, look: Look): RowRules {
  return {
    ...(skip ? { isSkipped: rowTest(skip, look) } : {}),
    ...(lead ? { isLead: rowTest(lead, look) } : {}),
    ...(kinship ? { kinOf: takeKinship(kinship, look) } : {}),
    ...(kinship?.shared ? { sharesParts: true as const } : {}),
  };
}

/** Of a row that could not be read as it stands, nobody knows what its cells say. */
function rowTest(condition: Condition, look: Look): (row: Row) => boolean {
  const test = holds(condition, look.names);
  return (row) => row.issues === undefined && test(scopeOf(row, look));
}

function takeKinship(rules: KinshipRule, look: Look): (row: Row) => Kinship {
  const { names, header } = look;
  const ownNames = rules.names.map((rule) => takeRule(rule, names, 'name'));
  const parent = rules.parent && takeRule(rules.parent, names, 'parent');
  const parts = rules.parts && takeRule(rules.parts, names, 'parts');
  const named = (value: Json | undefined, scope: Scope): NamedRow[] => {
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

function scopeOf(read: Row, look: Look): Scope {
  const rows = look.rowsOf([read]);
  const [row = read] = rows;
  return {
    rows,
    row,
    prefix: '',
    at: { row, column: -1 },
    issues: [],
    blanks: [],
    outside: NOTHING_OUTSIDE,
    warnings: undefined,
  };
}
