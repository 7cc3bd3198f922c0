import { type FieldType, leafPaths } from '../../../resources/index.ts';
import { didYouMean } from '../../did-you-mean.ts';
import type { ValueSource } from '../../mapping.ts';
import { type Apply, type ResultKind, stepNamed } from '../../steps/index.ts';
import type { Path } from '../document.ts';
import type { ImportRulePlace } from '../places.ts';

interface Made {
  readonly source: ValueSource;
  /** Result kind of each step, in order. */
  readonly makes: readonly ResultKind[];
  readonly given: Record<string, unknown>;
}

/**
 * Checks that a value has the type of its field, with messages in the mapping's terms. Returns implied steps, which
 * parse text for a number or boolean field.
 */
export function impliedSteps(place: ImportRulePlace, made: Made): Apply[] {
  checkWords(place, made);
  const kind = kindOf(made);
  const counted = COUNTED.has(made.given.across) && kind === 'text';
  return counted ? [implied('number'), ...stepsToFit(place, made, 'number')] : stepsToFit(place, made, kind);
}

/** Values of `across` that only work on numbers. */
const COUNTED: ReadonlySet<unknown> = new Set(['sum', 'min', 'max']);

function stepsToFit(place: ImportRulePlace, made: Made, kind: ResultKind): Apply[] {
  const { document, path, target, type } = place;
  const mismatch = (what: string): Apply[] => {
    document.addError(path, `${target} ${what}`);
    return [];
  };
  switch (type.kind) {
    case 'anything':
      return [];
    case 'number':
    case 'boolean':
      if (kind === type.kind || kind === 'any') return [];
      if (kind === 'text' && isCell(made)) return [implied(type.kind)];
      return mismatch(`is a ${type.kind}, but this makes ${naming(kind)}.`);
    case 'text':
    case 'choice':
      return kind === 'text' || kind === 'any' ? [] : mismatch(`is text, but this makes ${naming(kind)}.`);
    case 'list': {
      const ofText = isCell(made) && made.makes.at(-1) !== 'any';
      if (type.item.kind === 'object' && ofText)
        return mismatch('is a list of objects: use each with fields, or give JSON with json: true.');
      return kind === 'list' || kind === 'any'
        ? []
        : mismatch('is a list: say how the cell is cut, such as split: ",".');
    }
    case 'object': {
      if (kind === 'any') return [];
      const inside = leafPaths(type).filter((leaf) => leaf !== '');
      const shown = inside.length > 0 ? `, such as ${target}.${inside[0]}` : '';
      return mismatch(`is an object: name a field inside it${shown}, or give JSON with json: true.`);
    }
  }
}

/** True if the value is text from cells. Constants and expressions have types of their own. */
function isCell({ source, makes }: Made): boolean {
  return source.kind !== 'constant' && (source.kind !== 'expression' || makes.length > 0);
}

function kindOf({ source, makes }: Made): ResultKind {
  if (source.kind === 'expression' && makes.length === 0) return 'any';
  if (source.kind === 'constant') {
    if (Array.isArray(source.value)) return 'list';
    const kind = typeof source.value;
    return kind === 'number' || kind === 'boolean' ? kind : kind === 'string' ? 'text' : 'any';
  }
  if (makes.includes('list')) return 'list';
  return makes.at(-1) ?? 'text';
}

const NAMES: Readonly<Record<ResultKind, string>> = {
  text: 'text',
  number: 'a number',
  boolean: 'yes or no',
  list: 'a list',
  any: 'something else',
};

function naming(kind: ResultKind): string {
  return NAMES[kind];
}

/** Checks values that the mapping itself contains (const, default, else, right side of map) against the field. */
function checkWords({ document, path, target, type }: ImportRulePlace, { given, source }: Made): void {
  const words: [Path, unknown][] = [
    [[...path, 'default'], given.default],
    [[...path, 'else'], given.else],
    ...Object.entries((given.map as object | undefined) ?? {}).map(([word, value]): [Path, unknown] => [
      [...path, 'map', word],
      value,
    ]),
  ];
  // The type of a constant is checked by impliedSteps.
  if (type.kind === 'choice' && source.kind === 'constant') words.push([[...path, 'const'], source.value]);
  for (const [at, word] of words) {
    if (word === undefined) continue;
    if (type.kind === 'choice' && !type.values.includes(String(word)))
      document.addError(
        at,
        `${target} cannot be "${String(word)}"; it is one of ${type.values.join(', ')}.${didYouMean(String(word), type.values)}`,
      );
    const scalar = SCALARS[type.kind];
    if (scalar && typeof word !== scalar)
      document.addError(
        at,
        `${target} is ${naming(type.kind as ResultKind)}, so it cannot be ${JSON.stringify(word)}.`,
      );
  }
}

/** Result of `typeof` for values of a field. */
const SCALARS: Partial<Record<FieldType['kind'], string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
};

function implied(kind: 'number' | 'boolean'): Apply {
  return stepNamed(kind).make(true);
}
