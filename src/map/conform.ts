import { type FieldType, leafPaths } from '../resources/index.ts';
import type { Path } from './document.ts';
import type { Source } from './mapping.ts';
import { didYouMean } from './nearest.ts';
import type { Context } from './parse-rule.ts';
import { type Apply, STEPS, type Step } from './steps/index.ts';

interface Made {
  readonly source: Source;
  readonly steps: readonly Step[];
  readonly given: Record<string, unknown>;
}

type Kind = Step['makes'];

/**
 * Checks that what a value becomes is what its field holds, and complains in the mapping's own terms if not.
 * Returns the steps that go without saying: text for a number or boolean field is read as one.
 */
export function conform(context: Context, made: Made, path: Path, type: FieldType): Apply[] {
  const kind = kindOf(made);
  const mismatch = (what: string): Apply[] => {
    context.document.complain(path, `${context.target} ${what}`);
    return [];
  };
  checkWords(context, made, path, type);
  switch (type.kind) {
    case 'anything':
      return [];
    case 'number':
    case 'boolean':
      if (kind === type.kind || kind === 'any') return [];
      if (kind === 'text' && made.source.kind !== 'constant') return [implied(type.kind)];
      return mismatch(`is a ${type.kind}, but this makes ${naming(kind)}.`);
    case 'text':
    case 'choice':
      return kind === 'text' || kind === 'any' ? [] : mismatch(`is text, but this makes ${naming(kind)}.`);
    case 'list':
      return kind === 'list' || kind === 'any'
        ? []
        : mismatch('is a list: say how the cell is cut, such as split: ",".');
    case 'object': {
      if (kind === 'any') return [];
      const inside = leafPaths(type).filter((leaf) => leaf !== '');
      const shown = inside.length > 0 ? `, such as ${context.target}.${inside[0]}` : '';
      return mismatch(`is an object: name a field inside it${shown}, or give JSON with json: true.`);
    }
  }
}

function kindOf({ source, steps }: Made): Kind {
  if (source.kind === 'constant') {
    if (Array.isArray(source.value)) return 'list';
    const kind = typeof source.value;
    return kind === 'number' || kind === 'boolean' ? kind : kind === 'string' ? 'text' : 'any';
  }
  if (steps.some((step) => step.makes === 'list')) return 'list';
  return steps.at(-1)?.makes ?? 'text';
}

const NAMES: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'a number',
  boolean: 'yes or no',
  list: 'a list',
  any: 'something else',
};

function naming(kind: Kind): string {
  return NAMES[kind];
}

/** Words that a mapping writes itself (const, default, else, the right side of map) must be ones that the field takes. */
function checkWords(context: Context, { given, source }: Made, path: Path, type: FieldType): void {
  if (type.kind !== 'choice') return;
  const words: [Path, unknown][] = [
    [[...path, 'default'], given.default],
    [[...path, 'else'], given.else],
    [[...path, 'const'], source.kind === 'constant' ? source.value : undefined],
    ...Object.entries((given.map as object | undefined) ?? {}).map(([word, value]): [Path, unknown] => [
      [...path, 'map', word],
      value,
    ]),
  ];
  for (const [at, word] of words)
    if (word !== undefined && !type.values.includes(String(word)))
      context.document.complain(
        at,
        `${context.target} cannot be "${String(word)}"; it is one of ${type.values.join(', ')}.${didYouMean(String(word), type.values)}`,
      );
}

function implied(kind: 'number' | 'boolean'): Apply {
  return (STEPS.find((step) => step.name === kind) as Step).make(true);
}
