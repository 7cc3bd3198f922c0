import type * as z from 'zod';
import type { Json } from '../../model/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import { compileExpression, type Expression } from '../expression/expression.ts';
import type { MappingCondition, TextSteps, ValueRule, ValueSource } from '../mapping.ts';
import type { CellParts } from '../steps/chain.ts';
import {
  type Apply,
  keepsRepeated,
  kindMade,
  type ResultKind,
  STEPS,
  type Step,
  tableOf,
} from '../steps/index.ts';
import { parseCondition } from './conditions/conditions.ts';
import { below, type DocumentPlace } from './document.ts';
import { type RulePlace, refuseUnknownReference, watch } from './places.ts';

/** Keys of a value in imports. Exports take them too, except `expression` and steps that are for imports only. */
export const COMMON_VALUE_KEYS = [
  'from',
  'join',
  'const',
  'template',
  'expression',
  'when',
  'else',
  'trim',
  'default',
  ...STEPS.map((step) => step.name),
];

export interface ParsedSteps extends TextSteps {
  /** Kinds of value that the steps make, in order; a final `text` if the parts are joined. */
  readonly makes: readonly ResultKind[];
}

/** Parses the steps of a value, in the order in which they run. */
export function parseSteps(place: RulePlace, given: Record<string, unknown>): ParsedSteps {
  const chosen = STEPS.filter((step) => given[step.name] !== undefined);
  const made = chosen.map((step) => makeStep(place, step, given));
  const splitter = made.find(({ makes }) => makes === 'list');
  const steps = made.filter((each) => each !== splitter);
  const object = steps.findIndex(({ step, makes }) => step.name === 'pairs' && makes === 'any');
  const nextStep = object < 0 ? undefined : steps[object + 1];
  if (nextStep)
    place.document.addError(
      [...place.path, nextStep.step.name],
      `pairs makes an object, which ${nextStep.step.name} cannot work on: say which value is meant, such as pairs: { key: color }.`,
    );
  const join = joinsParts(given) ? String(given.join) : undefined;
  const makes = made.map((each) => each.makes);
  return {
    makes: join === undefined ? makes : [...makes.filter((kind) => kind !== 'list'), 'text'],
    ...(splitter ? { split: partsOf(splitter.apply, given, join) } : {}),
    steps: steps.map(({ apply }) => apply),
  };
}

function partsOf(cut: Apply, given: Record<string, unknown>, join: string | undefined): CellParts {
  return { cut, repeated: keepsRepeated(given.split), ...(join === undefined ? {} : { join }) };
}

/** True if `join` applies to the parts of one column; otherwise it joins several columns. */
function joinsParts({ join, split, from }: Record<string, unknown>): boolean {
  return typeof join === 'string' && split !== undefined && [from].flat().length < 2;
}

interface MadeStep {
  readonly step: Step;
  readonly apply: Apply;
  readonly makes: ResultKind;
}

function makeStep(place: RulePlace, step: Step, given: Record<string, unknown>): MadeStep {
  const { document, path, lookups } = place;
  const raw = given[step.name];
  const args =
    step.name === 'map' ? { words: raw, ...(given.when === undefined ? { else: given.else } : {}) } : raw;
  const parsed = step.args.safeParse(args);
  if (parsed.success) {
    if (step.name === 'lookup') lookups?.push(tableOf(parsed.data));
    const number = isSilent(parsed.data)
      ? watch(below(place, step.name), step.name as 'map' | 'lookup')
      : undefined;
    return { step, apply: step.make(parsed.data, number), makes: kindMade(step, parsed.data) };
  }
  const makes = typeof step.makes === 'function' ? 'any' : step.makes;
  const invalid: MadeStep = { step, apply: () => undefined, makes };
  const ownMessage = messageIn(parsed.error);
  if (ownMessage !== undefined) {
    document.addError([...path, step.name, ...ownMessage.path], ownMessage.message);
    return invalid;
  }
  const example = step.examples[0]?.args;
  const shown = JSON.stringify(step.name === 'map' ? (example as { words: unknown }).words : example);
  document.addError(
    [...path, step.name],
    `${step.name} does not take ${JSON.stringify(raw)}; for example ${step.name}: ${shown}.`,
  );
  return invalid;
}

/** True if a step silently replaces values that it does not know. */
function isSilent(args: unknown): boolean {
  return typeof args === 'object' && args !== null && 'else' in args && args.else !== undefined;
}

/** A step's own message about its arguments, even if they have several forms. */
function messageIn({ issues }: z.core.$ZodError): { path: (string | number)[]; message: string } | undefined {
  for (const issue of issues) {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    if (issue.code === 'custom' && issue.message !== 'Invalid input') return { path, message: issue.message };
    const inner = issue.code === 'invalid_union' ? issue.errors.flat() : [];
    const own = messageIn({ issues: inner } as unknown as z.core.$ZodError);
    if (own) return { path: [...path, ...own.path], message: own.message };
  }
  return undefined;
}

const TEMPLATES = { column: '{Title} by {Vendor}', field: '{product.name}: {rating}' } as const;

/**
 * Parses the source of a value: `from`, `const`, `template` or `expression`. Exactly one must be given. `advice` is
 * appended to the error if there is none.
 */
export function parseSource(place: RulePlace, given: Record<string, unknown>, advice = ''): ValueSource {
  const { document, path, target, noun, knowsReference } = place;
  const keys = ['from', 'const', 'template', ...(knowsReference ? ['expression'] : [])];
  const named = keys.filter((key) => given[key] !== undefined);
  if (named.length !== 1)
    document.addError(
      path,
      `${target} needs one of ${keys.join(', ')}; it has ${named.join(' and ') || 'none'}.${named.length === 0 ? advice : ''}`,
    );
  if (given.const !== undefined) return { kind: 'constant', value: given.const as Json };
  if (knowsReference && given.expression !== undefined)
    return parseExpression(below(place, 'expression'), given.expression);
  if (typeof given.template === 'string') {
    const parts = templateParts(given.template, knowsReference);
    for (const part of parts)
      if (typeof part !== 'string') refuseUnknownReference(below(place, 'template'), part.column);
    return { kind: 'template', parts };
  }
  if (given.template !== undefined)
    document.addError(
      [...path, 'template'],
      `template takes text with ${noun}s, such as "${TEMPLATES[noun]}".`,
    );
  const listed = [given.from ?? []].flat();
  const names = listed.filter((name) => typeof name === 'string');
  if (names.length < listed.length)
    document.addError(
      [...path, 'from'],
      `from takes a ${noun}, or a list of ${noun}s: the first one that is not empty is used.`,
    );
  for (const [index, name] of names.entries())
    refuseUnknownReference(
      Array.isArray(given.from) ? below(place, 'from', index) : below(place, 'from'),
      name,
    );
  if (given.join !== undefined && typeof given.join !== 'string')
    document.addError([...path, 'join'], `join takes the text to put between the ${noun}s, such as " - ".`);
  return {
    kind: 'columns',
    names,
    ...(given.join === undefined || joinsParts(given) ? {} : { join: String(given.join) }),
  };
}

/** Variables that every expression has, without the `$`. */
export const VARIABLES: readonly string[] = ['rows', 'row', 'file'];

function parseExpression(place: RulePlace, source: unknown): ValueSource {
  const known = [...(place.parts ?? []), ...VARIABLES];
  const expression = readExpression(place, source, { known, example: '$number(Price) * 2' });
  return expression ? { kind: 'expression', expression } : { kind: 'constant', value: null };
}

/** Compiles the expression at a place. Adds an error if it cannot be read, or if it uses a variable that is not in `known`. `given`: see `compileExpression`. */
export function readExpression(
  { document, path }: DocumentPlace,
  source: unknown,
  {
    known,
    example,
    given,
  }: { readonly known: readonly string[]; readonly example: string; readonly given?: readonly string[] },
): Expression | undefined {
  if (typeof source !== 'string') {
    document.addError(path, `${path.at(-1)} takes text, such as "${example}".`);
    return undefined;
  }
  try {
    const expression = compileExpression(source, given);
    for (const name of expression.variables.filter((each) => !known.includes(each)))
      document.addError(path, unknownVariable(name, known));
    return expression;
  } catch (error) {
    const { message, position } = error as { message: string; position?: number };
    document.addError(
      path,
      `this is not an expression${position === undefined ? '' : ` from character ${position} on`}: ${message}`,
    );
    return undefined;
  }
}

function unknownVariable(name: string, known: readonly string[]): string {
  const all = known.map((each) => `$${each}`);
  const hint = didYouMean(`$${name}`, all) || ` There are ${all.join(', ')}, and the functions of JSONata.`;
  return `$${name} means nothing here: nothing in this expression makes it, and no list around it has parts of that name.${hint}`;
}

/**
 * `"{Title} by {Vendor}"` → column, text, column. The name of a column may contain a number: `{Option{n} Name}`.
 * Text in braces that is a reference elsewhere is one here too. `{{` and `}}` are literal braces.
 */
function templateParts(
  template: string,
  knowsReference: RulePlace['knowsReference'],
): (string | { column: string })[] {
  return template
    .split(/(\{\{|\}\}(?!\})|\{(?:[^{}]|\{[^{}]*\})+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part === '{{' || part === '}}') return part.slice(1);
      if (!part.startsWith('{') || !part.endsWith('}')) return part;
      return { column: knowsReference?.(part.slice(1, -1)) ? part : part.slice(1, -1) };
    });
}

/** Parses `when` with its `else`. */
export function parseWhen(
  place: RulePlace,
  given: Record<string, unknown>,
  across: MappingCondition['across'],
): Pick<ValueRule, 'when' | 'otherwise'> {
  const when =
    given.when === undefined ? undefined : parseCondition(below(place, 'when'), given.when, across);
  if (given.else !== undefined && (given.when === undefined) === (given.map === undefined))
    place.document.addError(
      [...place.path, 'else'],
      given.map === undefined
        ? 'else needs when (it does not hold) or map (an unknown word) beside it.'
        : 'with both when and map, else could mean either: leave one of them out.',
    );
  return {
    ...(when ? { when } : {}),
    ...(when && given.else !== undefined ? { otherwise: given.else as Json } : {}),
  };
}

/** Parses the switch under a key; undefined if the key is absent. */
export function parseFlag(
  { document, path }: RulePlace,
  given: Record<string, unknown>,
  key: string,
): boolean | undefined {
  const value = given[key];
  if (value === undefined || typeof value === 'boolean') return value;
  document.addError([...path, key], `${key} takes true or false.`);
  return undefined;
}

/** Adds the error for a value that is not text, list or object. */
export function refuseBare({ document, path, target, noun }: RulePlace, value: unknown): void {
  document.addError(
    path,
    `${target} needs a ${noun}, or { const: ${JSON.stringify(value)} } for a constant.`,
  );
}

export function refuseUnknownKeys(
  { document, path }: DocumentPlace,
  given: object,
  known: readonly string[],
): void {
  for (const key of Object.keys(given))
    if (!known.includes(key)) document.addError([...path, key], unknownKey(key, known));
}

/** Suggests a similar name; otherwise lists all names. */
function unknownKey(key: string, known: readonly string[]): string {
  return `"${key}" is not known here.${didYouMean(key, known) || ` There are ${known.join(', ')}.`}`;
}
