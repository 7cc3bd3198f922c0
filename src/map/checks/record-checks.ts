import {
  type Issue,
  isSecretPath,
  type Json,
  type JsonObject,
  type Origin,
  type RecordWarning,
} from '../../model/index.ts';
import type { Evaluate } from '../expression/expression.ts';
import type { FieldRead } from '../expression/expression-paths.ts';
import type { CheckRule, Mapping } from '../mapping.ts';
import { type PlacedValue, pathBelow, valuesIn } from './placed-values.ts';

/** A payload to check. */
export interface PayloadToCheck {
  readonly payload: JsonObject;
  /** Issues that were found before. What has one of a field is not checked. */
  readonly issues: readonly Issue[];
  /** Finds the cell of a field. Called only if a check fails. */
  readonly locate: (field: string) => { readonly column?: string; readonly origin?: Origin };
}

export interface ChecksFound {
  readonly issues: readonly Issue[];
  readonly warnings: readonly RecordWarning[];
}

const NOTHING: ChecksFound = { issues: [], warnings: [] };

/** Maximum number of values that a message shows, and of their characters. */
const MAX_SHOWN = 5;
const MAX_SHOWN_CHARACTERS = 80;

/** Creates the test of payloads by the `checks` of a mapping; undefined if it has none. */
export function createRecordChecks({
  checks,
  resource: { secret = [] },
}: Pick<Mapping, 'checks' | 'resource'>): ((given: PayloadToCheck) => ChecksFound) | undefined {
  if (checks === undefined) return undefined;
  const compiled = checks.map((rule) => compileCheck(rule, secret));
  return (given) => {
    let found: { issues: Issue[]; warnings: RecordWarning[] } | undefined;
    for (const check of compiled)
      for (const { issue, warning } of check(given)) {
        found ??= { issues: [], warnings: [] };
        if (issue) found.issues.push(issue);
        if (warning !== undefined) found.warnings.push(warning);
      }
    return found ?? NOTHING;
  };
}

interface Failure {
  readonly issue?: Issue;
  readonly warning?: RecordWarning;
}

/** A field that a check reads. */
interface Field {
  /** Its path in the payload, also if it is missing there. */
  readonly at: string;
  readonly values: readonly PlacedValue[];
}

/** Why a check does not hold. `message`: why it cannot be evaluated; undefined if it is false. */
interface Problem {
  readonly code: string;
  readonly message?: string;
}

function compileCheck(
  { source, expression, each: list, message = `this does not hold: ${source}`, isWarning }: CheckRule,
  secret: readonly string[],
): (given: PayloadToCheck) => readonly Failure[] {
  const evaluate = expression.begin();
  const read = expression.reads;
  const names = (some: readonly FieldRead[]) => new Set(some.map(nameOf));
  const asked = names(read.filter(({ isAsked }) => isAsked));
  const needed = distinct(read.filter((path) => !path.inItems && !asked.has(nameOf(path))));
  const once = distinct(read.filter(({ inItems }) => !inItems));

  /** Describes a failure: the rule, then the fields that it reads, each with its value. */
  function describe(problem: Problem, fields: readonly Field[], { locate }: PayloadToCheck): Failure {
    const [first] = fields;
    const { column, origin } = locate(first?.at ?? '');
    const shown = fields.slice(0, MAX_SHOWN).map(({ at, values }) => {
      const other = first && first.at !== at ? locate(at).column : undefined;
      const where = other === undefined || other === column || other === at ? '' : ` (column "${other}")`;
      return `${at} ${isSecretPath(at, secret) ? 'is not shown' : words(values)}${where}`;
    });
    const found = [problem.message ?? [], shown].flat().join(', ');
    if (isWarning)
      return { warning: { message: `${message}.`, found, ...(origin ? { row: origin.row } : {}) } };
    const rule = problem.message === undefined ? message : `the check "${message}" cannot be evaluated`;
    return {
      issue: {
        code: problem.code,
        message: found === '' ? rule : `${rule}: ${found}`,
        ...(first ? { field: first.at } : {}),
        ...(first && column !== undefined ? { column } : {}),
        ...(origin ? { origin } : {}),
      },
    };
  }

  /** Checks the payload, or one item of `each`. */
  function checkOne({ path, value }: PlacedValue, given: PayloadToCheck): Failure | undefined {
    const { payload, issues } = given;
    const valuesOf = ({ from, steps }: FieldRead) =>
      from === '' ? valuesIn(value, steps, path) : valuesIn(payload, steps);
    if (needed.some((each) => valuesOf(each).length === 0)) return undefined;
    const problem = problemIn(evaluate, value, payload);
    if (problem === undefined || read.some((each) => hasIssue(issues, each, path))) return undefined;
    const fields = once.map((each): Field => {
      const values = valuesOf(each);
      const [first] = values;
      const only = values.length === 1 ? first?.path : undefined;
      return { at: only ?? each.steps.reduce(pathBelow, each.from === '' ? path : ''), values };
    });
    const isItemItself = fields.length === 0 && path !== '';
    return describe(problem, isItemItself ? [{ at: path, values: [{ path, value }] }] : fields, given);
  }

  return (given) => {
    const failures: Failure[] = [];
    const whole = { path: '', value: given.payload };
    for (const each of list ? valuesIn(given.payload, list) : [whole]) {
      // An empty list has no items.
      if (Array.isArray(each.value)) continue;
      const failure = checkOne(each, given);
      if (failure) failures.push(failure);
    }
    return failures;
  };
}

/** The problem with a payload or an item; undefined if the check holds, or does not apply. */
function problemIn(evaluate: Evaluate, input: Json, record: JsonObject): Problem | undefined {
  const made = evaluate(input, { record });
  if ('code' in made) return made;
  const { value } = made;
  if (value === undefined || value === true) return undefined;
  if (value === false) return { code: 'check-failed' };
  const shown = words([{ path: '', value }]);
  return {
    code: 'expression-failed',
    message: `it ${shown}, neither true nor false: compare it, or use $exists( ), $contains( ) or $boolean( )`,
  };
}

/** True if a field that is read, or one inside or around it, has an issue already. `item`: the path of the item. */
function hasIssue(issues: readonly Issue[], { from, steps }: FieldRead, item: string): boolean {
  const path = general(steps.reduce(pathBelow, from === '' ? item : ''));
  return issues.some(({ field = '' }) => {
    const other = general(field);
    return other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`);
  });
}

/** A path without the positions of items. */
function general(path: string): string {
  return path
    .split('.')
    .filter((step) => !/^\d+$/.test(step))
    .join('.');
}

function nameOf({ from, steps }: FieldRead): string {
  return JSON.stringify([from, ...steps]);
}

function distinct(paths: readonly FieldRead[]): FieldRead[] {
  return [...new Map(paths.map((path) => [nameOf(path), path])).values()];
}

function words(values: readonly PlacedValue[]): string {
  const [first] = values;
  if (!first) return 'is missing';
  const text = JSON.stringify(values.length === 1 ? first.value : values.map(({ value }) => value));
  return `is ${text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…` : text}`;
}
