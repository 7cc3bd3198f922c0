import { createHash } from 'node:crypto';
import { dirname, extname, join } from 'node:path';
import { didYouMean } from '../../map/did-you-mean.ts';
import { asObject, below, type DocumentPlace, parseMappingDocument } from '../../map/syntax/document.ts';
import { readdirSync, resolve, statSync } from '../../model/files/fs.ts';
import { missingFile, ownValue, readSmallFile, shownWord } from '../../model/index.ts';
import { camelCase, type Option, valueSyntaxOf } from '../../options/index.ts';
import { IMPORTABLE_NAMES } from '../../resources/names.ts';
import { placeOfOption, STEP_OPTIONS } from './plan-options.ts';

/** A plan as it was written, checked. */
export interface MigrationPlan {
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  readonly title: string | undefined;
  readonly sha256: string;
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep {
  readonly resource: string;
  /** Relative to the working directory, as they would be typed. */
  readonly files: readonly string[];
  readonly mapping: string | undefined;
  /** Options by the names of their arguments. */
  readonly options: Readonly<Record<string, unknown>>;
}

const PLAN_KEYS = ['title', 'steps'];
const STEP_KEYS = ['import', 'files', 'mapping', 'options'];
const MAPPING_ENDINGS = ['.yaml', '.yml', '.json'];

/**
 * Reads the plan of a migration. Throws ConfigError with the line and column of each mistake. `commandOptions`: names of
 * the options that the command takes.
 */
export function readPlan(file: string, commandOptions: readonly string[]): MigrationPlan {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw missingFile(file, 'plan', ['.yaml', '.yml']);
  const text = readSmallFile(file, `The plan ${file}`);
  const document = parseMappingDocument(file, text, `The plan ${file}`);
  const root: DocumentPlace = { document, path: [] };
  const plan = asObject(
    root,
    document.value,
    `A plan is an object with the keys ${PLAN_KEYS.join(' and ')}.`,
  );
  refuseOthers(root, plan, PLAN_KEYS, 'A plan');
  const title = textIn(below(root, 'title'), plan.title);
  const place = below(root, 'steps');
  if (!Array.isArray(plan.steps) || plan.steps.length === 0)
    document.addError(place.path, 'steps must be a list of at least one step, such as - import: products.');
  const steps = [plan.steps].flat().filter((step) => step !== undefined && step !== null);
  const seen = new Map<string, number>();
  const planned = steps.map((step, index) =>
    readStep(below(place, index), step, { folder: dirname(file), seen, commandOptions }),
  );
  document.throwIfAny();
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { file, path: resolve(file), title, sha256, steps: planned };
}

interface StepContext {
  readonly folder: string;
  /** Resources of the steps before, with the line of each. */
  readonly seen: Map<string, number>;
  readonly commandOptions: readonly string[];
}

function readStep(place: DocumentPlace, value: unknown, context: StepContext): PlannedStep {
  const step = asObject(place, value, `A step is an object with the keys ${STEP_KEYS.join(', ')}.`);
  refuseOthers(place, step, STEP_KEYS, 'A step');
  const resource = readResource(below(place, 'import'), step.import, context.seen);
  const files = readFiles(below(place, 'files'), step.files, context.folder);
  const mapping = readMapping(below(place, 'mapping'), step.mapping, context.folder);
  const options = readOptions(below(place, 'options'), step.options, context.commandOptions);
  return { resource, files, mapping, options };
}

function readResource({ document, path }: DocumentPlace, value: unknown, seen: Map<string, number>): string {
  const names: readonly string[] = IMPORTABLE_NAMES;
  if (typeof value !== 'string' || !names.includes(value)) {
    const found = typeof value === 'string' ? `, found "${shownWord(value)}"` : '';
    const near = typeof value === 'string' ? didYouMean(value, names) : '';
    document.addError(path, `import must be one of ${names.join(', ')}${found}.${near}`);
    return '';
  }
  const before = seen.get(value);
  const { line } = document.textAt(path);
  if (before === undefined) seen.set(value, line);
  else
    document.addError(
      path,
      `${value} have a step already, in line ${before}: list all their files in that one.`,
    );
  return value;
}

function readFiles(place: DocumentPlace, value: unknown, folder: string): string[] {
  const { document, path } = place;
  const names = (Array.isArray(value) ? value : [value]) as unknown[];
  if (value === undefined || value === null || names.length === 0) {
    document.addError(
      path,
      'files is missing: name a file, or a list of files, relative to the folder of the plan.',
    );
    return [];
  }
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const at = Array.isArray(value) ? [...path, index] : path;
    if (typeof name !== 'string' || name.trim() === '') {
      document.addError(at, 'files must have the name of a file, as text.');
      return [];
    }
    const file = resolve(folder, name) === name ? name : join(folder, name);
    if (name === '-')
      document.addError(at, 'A step reads its files twice, so standard input cannot be one of them.');
    else if (seen.has(file)) document.addError(at, `"${shownWord(name)}" is named twice.`);
    else if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      document.addError(at, `There is no file "${shownWord(file)}".${didYouMean(name, neighbours(file))}`);
    seen.add(file);
    return [file];
  });
}

/** Names of the files in the folder of a file that is missing. */
function neighbours(file: string): string[] {
  try {
    return readdirSync(dirname(file));
  } catch {
    return [];
  }
}

/** A preset by its name; a file by its path, with a separator or an ending. */
function readMapping(place: DocumentPlace, value: unknown, folder: string): string | undefined {
  const name = textIn(place, value);
  if (name === undefined) return undefined;
  const isFile = /[\\/]/.test(name) || MAPPING_ENDINGS.includes(extname(name));
  if (!isFile) return name;
  const file = resolve(folder, name) === name ? name : join(folder, name);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    place.document.addError(
      place.path,
      `There is no mapping file "${shownWord(file)}".${didYouMean(name, neighbours(file))}`,
    );
  return /[\\/]/.test(file) ? file : `./${file}`;
}

function textIn({ document, path }: DocumentPlace, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value;
  document.addError(path, `${path.at(-1)} must be text that is not empty.`);
  return undefined;
}

function readOptions(
  place: DocumentPlace,
  value: unknown,
  commandOptions: readonly string[],
): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  const given = asObject(place, value, 'options must be an object, such as { mode: create, limit: 10 }.');
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, each]) => {
      const at = below(place, name);
      const option = ownValue(STEP_OPTIONS, name);
      if (option) return [[camelCase(name), readOption(at, name, option, each)]];
      const elsewhere = placeOfOption(name, commandOptions);
      const near = didYouMean(name, Object.keys(STEP_OPTIONS));
      at.document.addError(
        at.path,
        elsewhere === undefined
          ? `An import has no option "${shownWord(name)}".${near}`
          : `"${name}" is no option of a step: ${elsewhere}.`,
      );
      return [];
    }),
  );
}

function readOption(place: DocumentPlace, name: string, option: Option, value: unknown): unknown {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!option.array && list.length !== 1) {
    place.document.addError(place.path, `${name} takes one value, and not a list.`);
    return undefined;
  }
  const { words, read, blank } = valueSyntaxOf(option);
  const values = list.map((each) => {
    const isScalar = typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean';
    const text = isScalar ? String(each) : '';
    const found = isScalar && (blank || text.trim() !== '') ? read(text) : undefined;
    if (found === undefined) {
      const near = option.choices ? didYouMean(text, option.choices) : '';
      const shown = isScalar ? `; found "${shownWord(text)}"` : '';
      place.document.addError(place.path, `${name} takes ${words}${shown}.${near}`);
    }
    return found;
  });
  return option.array ? values : values[0];
}

function refuseOthers(
  place: DocumentPlace,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  what: string,
): void {
  for (const key of Object.keys(value))
    if (!known.includes(key))
      place.document.addError(
        [...place.path, key],
        `${what} has no "${shownWord(key)}".${didYouMean(key, known)} It takes: ${known.join(', ')}.`,
      );
}
