import {
  type Json,
  type Kinship,
  type NamedRow,
  normalisedKey,
  type Row,
  type Table,
} from '../model/index.ts';
import type { Condition, KinshipRule, Mapping } from './mapping.ts';
import type { Names, Scope } from './scope.ts';
import { takeRule } from './take.ts';
import { holds } from './take-value.ts';

/** What a mapping says of single rows, before they are records. */
export interface RowRules {
  /** Whether it is no record and no part of one; undefined where all rows count. */
  readonly isSkipped?: (row: Row) => boolean;
  /** Whether it leads the rows of its record. */
  readonly isLead?: (row: Row) => boolean;
  /** Which rows it names, and by what it is named. */
  readonly kinOf?: (row: Row) => Kinship;
}

export function rowRules({ skip, lead, kinship }: Mapping, names: Names, table: Table): RowRules {
  return {
    ...(skip ? { isSkipped: rowTest(skip, names) } : {}),
    ...(lead ? { isLead: rowTest(lead, names) } : {}),
    ...(kinship ? { kinOf: takeKinship(kinship, names, table) } : {}),
  };
}

/** Of a row that could not be read as it stands, nobody knows what its cells say. */
function rowTest(condition: Condition, names: Names): (row: Row) => boolean {
  const test = holds(condition, names);
  return (row) => row.issues === undefined && test(scopeOf(row));
}

function takeKinship(rules: KinshipRule, names: Names, { header }: Table): (row: Row) => Kinship {
  const ownNames = rules.names.map((rule) => takeRule(rule, names, 'name'));
  const parent = rules.parent && takeRule(rules.parent, names, 'parent');
  const parts = rules.parts && takeRule(rules.parts, names, 'parts');
  const named = (value: Json | undefined, scope: Scope): NamedRow[] => {
    const column = header[scope.at.column];
    return textsIn(value).map((name) => ({ name, column }));
  };
  return (row) => {
    const scope = scopeOf(row);
    const own = ownNames.flatMap((take) => textsIn(take(scope)));
    const [of] = parent ? named(parent(scope), scope) : [];
    return { names: own, parent: of, parts: parts ? named(parts(scope), scope) : [], issues: scope.issues };
  };
}

/** A name, or a list of them; compared after Unicode normalisation, as keys are. */
function textsIn(value: Json | undefined): string[] {
  return [value ?? []].flat().map((text) => normalisedKey(String(text)));
}

function scopeOf(row: Row): Scope {
  return { rows: [row], row, prefix: '', at: { row, column: -1 }, issues: [] };
}
