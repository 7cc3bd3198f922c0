import { createHash } from 'node:crypto';
import { ConfigError, isOwnColumn, type Table } from '../../model/index.ts';
import { type FieldType, fieldType, type Resource, typeAt } from '../../resources/index.ts';
import type { FieldRule, Mapping } from '../mapping.ts';
import { ID_COLUMN, META_COLUMNS } from '../rows/own-columns.ts';
import { type Apply, stepNamed } from '../steps/index.ts';
import { overlapsIn } from '../syntax/overlaps.ts';

/** Name of the mapping of the native form. */
export const NATIVE = 'native';

/** Columns that a header must have to be in the native form. */
export interface HeaderNeeds {
  /** Top-level fields that a new payload must have. */
  readonly required: readonly string[];
  /** Earlier runs may know the records, so a column with their key is enough. Default: false. */
  readonly byKey?: boolean;
}

/**
 * True if a header is in the native form of a resource. It must have API paths, among them all required fields. For
 * updates, the identifier and some API paths are enough. With `byKey` the key is enough, provided that all columns are
 * API paths.
 */
export function isNative(
  table: Table,
  resource: Resource,
  { required, byKey = false }: HeaderNeeds,
): boolean {
  const header = new Set(table.header.map((name) => name.trim()));
  const tops = new Set([...header].map((name) => name.split('.', 1)[0]));
  if (required.length > 0 && required.every((field) => tops.has(field))) return true;
  const root = fieldType(resource.schema);
  const isPath = (name: string) => typeAt(root, name.split('.')) !== undefined;
  if (header.has(ID_COLUMN)) return [...header].some(isPath);
  const hasKey = resource.key?.some((field) => header.has(field)) ?? false;
  return byKey && hasKey && [...header].every((name) => isPath(name) || isOwnColumn(name));
}

/** A header that mostly uses API names but is not the native form. */
export interface NearlyNative {
  /** Columns that are API paths, and the others. */
  readonly known: readonly string[];
  readonly others: readonly string[];
  /** Required fields without a column. */
  readonly missing: readonly string[];
}

/** undefined if most columns are not API paths, since the file then comes from another platform. */
export function nearlyNative(
  table: Table,
  resource: Resource,
  required: readonly string[],
): NearlyNative | undefined {
  const root = fieldType(resource.schema);
  const names = table.header.map((name) => name.trim()).filter((name) => name !== '' && !isOwnColumn(name));
  const known = names.filter((name) => META_COLUMNS.has(name) || typeAt(root, name.split('.')) !== undefined);
  if (known.length * 2 <= names.length) return undefined;
  const tops = new Set(known.map((name) => name.split('.', 1)[0]));
  return {
    known,
    others: names.filter((name) => !known.includes(name)),
    missing: required.filter((field) => !tops.has(field)),
  };
}

/**
 * The mapping that a native header implies: each column goes to the path of its name and is read by the type there.
 * Lists of text (or of anything) are joined by `|` or JSON; objects and other lists are JSON. Below objects whose
 * fields the API document does not show, a cell that begins with `{` or `[` is JSON and any other is text.
 */
export function nativeMapping(table: Table, resource: Resource): Mapping {
  const isNativeJson = table.items !== undefined;
  const root = fieldType(resource.schema);
  const paths = table.header
    .map((name) => name.trim())
    .filter((name) => name !== '' && !META_COLUMNS.has(name));
  const fields = paths.flatMap((name): FieldRule[] => {
    const path = name.split('.');
    const type = typeAt(root, path);
    const isKey = resource.key?.includes(name) ?? false;
    return type ? [{ path, rule: nativeRule(name, type, isKey) }] : [];
  });
  refuseOverlaps(table.file, fields);
  return {
    name: NATIVE,
    title: isNativeJson ? "The API's own objects" : "The API's own fields as columns",
    resource,
    recognise: [],
    aliases: new Map(),
    lookups: [],
    watchedRules: [],
    ...(isNativeJson ? { fields: [], isNativeJson } : { fields }),
    digest: createHash('sha256').update(paths.join('\n')).digest('hex'),
  };
}

/** Texts are not trimmed, so that an exported text is imported unchanged. Blanks around a key are never meant. */
function nativeRule(column: string, type: FieldType, isKey: boolean): FieldRule['rule'] {
  const source = { kind: 'columns', names: [column] } as const;
  const trim = type.kind !== 'text' || isKey;
  return { kind: 'value', source, trim, steps: stepsFor(type), across: 'first', required: false };
}

/** Kinds of items in a list that is joined by `|`. */
const WORDS: ReadonlySet<FieldType['kind']> = new Set(['text', 'choice', 'anything']);

/** Steps that convert the text of a cell (or of a constant) to a field of this type. */
export function stepsFor(type: FieldType): Apply[] {
  switch (type.kind) {
    case 'text':
    case 'choice':
      return [];
    case 'number':
    case 'boolean':
      return [step(type.kind, true)];
    case 'anything':
      return [jsonOr((text) => text)];
    case 'object':
      return [step('json', true)];
    case 'list':
      return [WORDS.has(type.item.kind) ? jsonOr(step('split', '|')) : step('json', true)];
  }
}

function jsonOr(otherwise: Apply): Apply {
  const json = step('json', true);
  return (text, addIssue, lookups) =>
    /^[[{]/.test(text) ? json(text, addIssue, lookups) : otherwise(text, addIssue, lookups);
}

function step(name: string, args: unknown): Apply {
  return stepNamed(name).make(args);
}

/** Refuses columns such as `images` beside `images.0.src`, where choosing one would be a guess. */
function refuseOverlaps(file: string, fields: readonly FieldRule[]): void {
  const [overlap] = overlapsIn(fields.map(({ path }) => path));
  if (overlap)
    throw new ConfigError(
      `${file} has both the column "${overlap.outer}" and the column "${overlap.inner}" inside it.`,
      ['Keep one of the two.'],
    );
}
