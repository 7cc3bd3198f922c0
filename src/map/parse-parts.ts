import type { Json } from '../model/index.ts';
import { parseCondition } from './conditions.ts';
import type { Place } from './context.ts';
import type { MappingDocument, Path } from './document.ts';
import type { Source, ValueRule } from './mapping.ts';
import { didYouMean } from './nearest.ts';
import { type Apply, STEPS, type Step } from './steps/index.ts';

/** The keys of a value, in whichever direction it goes. */
export const PART_KEYS = [
  'from',
  'join',
  'const',
  'template',
  'when',
  'else',
  'trim',
  'default',
  ...STEPS.map((step) => step.name),
];

export interface ParsedSteps extends Pick<ValueRule, 'split' | 'steps'> {
  /** As they stand in the table of steps. */
  readonly chosen: readonly Step[];
}

/** The steps that a value names, in the order in which they run. */
export function parseSteps(place: Place, given: Record<string, unknown>, path: Path): ParsedSteps {
  const chosen = STEPS.filter((step) => given[step.name] !== undefined);
  const applied = chosen.map((step) => ({ step, apply: makeStep(place, step, given, path) }));
  const splitter = applied.find(({ step }) => step.makes === 'list');
  return {
    chosen,
    ...(splitter ? { split: splitter.apply } : {}),
    steps: applied.filter((each) => each !== splitter).map(({ apply }) => apply),
  };
}

function makeStep({ document }: Place, step: Step, given: Record<string, unknown>, path: Path): Apply {
  const raw = given[step.name];
  const args =
    step.name === 'map' ? { words: raw, ...(given.when === undefined ? { else: given.else } : {}) } : raw;
  const parsed = step.args.safeParse(args);
  if (parsed.success) return step.make(parsed.data);
  const example = step.examples[0]?.args;
  const shown = JSON.stringify(step.name === 'map' ? (example as { words: unknown }).words : example);
  document.complain(
    [...path, step.name],
    `${step.name} does not take ${JSON.stringify(raw)}; for example ${step.name}: ${shown}.`,
  );
  return () => undefined;
}

const TEMPLATES = { column: '{Title} by {Vendor}', field: '{product.name}: {rating}' } as const;

export function parseSource(
  { document, target, names: noun }: Place,
  given: Record<string, unknown>,
  path: Path,
): Source {
  const named = ['from', 'const', 'template'].filter((key) => given[key] !== undefined);
  if (named.length !== 1)
    document.complain(
      path,
      `${target} needs one of from, const, template; it has ${named.join(' and ') || 'none'}.`,
    );
  if (given.const !== undefined) return { kind: 'constant', value: given.const as Json };
  if (typeof given.template === 'string') return { kind: 'template', parts: templateParts(given.template) };
  if (given.template !== undefined)
    document.complain(
      [...path, 'template'],
      `template takes text with ${noun}s, such as "${TEMPLATES[noun]}".`,
    );
  const listed = [given.from ?? []].flat();
  const names = listed.filter((name) => typeof name === 'string');
  if (names.length < listed.length)
    document.complain(
      [...path, 'from'],
      `from takes a ${noun}, or a list of ${noun}s of which the first filled one counts.`,
    );
  if (given.join !== undefined && typeof given.join !== 'string')
    document.complain(
      [...path, 'join'],
      `join takes the text that stands between the ${noun}s, such as " - ".`,
    );
  return {
    kind: 'columns',
    names,
    ...(given.join === undefined ? {} : { join: String(given.join) }),
  };
}

/** `"{Title} by {Vendor}"` → a column, text, a column. The name of a column may hold a number: `{Option{n} Name}`. */
function templateParts(template: string): (string | { column: string })[] {
  return template
    .split(/(\{(?:[^{}]|\{[^{}]*\})+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') && part.endsWith('}') ? { column: part.slice(1, -1) } : part));
}

/** `when` with its `else`. */
export function parseWhen(
  place: Place,
  given: Record<string, unknown>,
  path: Path,
  inRows: boolean,
): Pick<ValueRule, 'when' | 'otherwise'> {
  const when =
    given.when === undefined ? undefined : parseCondition(place, given.when, [...path, 'when'], inRows);
  if (given.else !== undefined && (given.when === undefined) === (given.map === undefined))
    place.document.complain(
      [...path, 'else'],
      given.map === undefined
        ? 'else needs when (it does not hold) or map (an unknown word) beside it.'
        : 'with both when and map, else could mean either: leave one of them out.',
    );
  return {
    ...(when ? { when } : {}),
    ...(when && given.else !== undefined ? { otherwise: given.else as Json } : {}),
  };
}

export function parseFlag(
  { document }: Place,
  given: Record<string, unknown>,
  key: string,
  path: Path,
): boolean | undefined {
  const value = given[key];
  if (value === undefined || typeof value === 'boolean') return value;
  document.complain([...path, key], `${key} takes true or false.`);
  return undefined;
}

/** What a value that is no text, list or object is answered with. */
export function refuseBare({ document, target, names }: Place, value: unknown, path: Path): void {
  document.complain(
    path,
    `${target} needs a ${names}, or { const: ${JSON.stringify(value)} } for a constant.`,
  );
}

export function refuseUnknownKeys(
  document: MappingDocument,
  given: object,
  path: Path,
  known: readonly string[],
): void {
  for (const key of Object.keys(given))
    if (!known.includes(key)) document.complain([...path, key], unknownKey(key, known));
}

/** The nearest name where there is one; else all of them. */
function unknownKey(key: string, known: readonly string[]): string {
  return `"${key}" is not known here.${didYouMean(key, known) || ` There are ${known.join(', ')}.`}`;
}
