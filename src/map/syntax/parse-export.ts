import type { Json } from '../../model/index.ts';
import {
  type FieldType,
  fieldType,
  isDocumented,
  nativeColumns,
  RESOURCES,
  REST_COLUMN,
  type Resource,
  typeAt,
} from '../../resources/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { ExportColumn, ExportMapping } from '../export-mapping.ts';
import type { MappingCondition, SourcedValue, ValueSource } from '../mapping.ts';
import { sourceColumns } from '../rows/used-columns.ts';
import { STEPS } from '../steps/index.ts';
import { asObject, below, type DocumentPlace, parseMappingDocument } from './document.ts';
import { digestOf, forImport, isForExport, parseResource, titleOf } from './parse-head.ts';
import {
  COMMON_VALUE_KEYS,
  parseFlag,
  parseSource,
  parseSteps,
  parseWhen,
  refuseBare,
  refuseUnknownKeys,
} from './parse-source.ts';
import type { RulePlace } from './places.ts';

/** Top-level keys of an export mapping. */
export const EXPORT_KEYS = ['resource', 'title', 'export'];
/** Keys that only imports have. Refused by name, since authors know them from import mappings. */
const KEYS_OF_IMPORTS = ['recognise', 'columns', 'key', 'group', 'fields'];
const VALUE_KEYS_OF_IMPORTS = [
  ...['across', 'required', 'each', 'unique', 'fields', 'blank', 'expression'],
  ...STEPS.filter(({ importsOnly }) => importsOnly).map(({ name }) => name),
];
export const EXPORT_VALUE_KEYS = COMMON_VALUE_KEYS.filter((key) => !VALUE_KEYS_OF_IMPORTS.includes(key));

/**
 * Parses the mapping of an export and checks it against the API document of its resource. Throws ConfigError that lists
 * every mistake with line and column, and with a similar name if there is one.
 */
export function parseExportMapping(
  name: string,
  text: string,
  resources: readonly Resource[] = RESOURCES,
): ExportMapping {
  const document = parseMappingDocument(name, text);
  const whole: DocumentPlace = { document, path: [] };
  const root = asObject(
    whole,
    document.value,
    'A mapping for exports is a list of keys: resource, title, export.',
  );
  if (!isForExport(root) && root.fields !== undefined) throw forImport(name, root.resource);
  refuseKeys(whole, root, { own: EXPORT_KEYS, ofImports: KEYS_OF_IMPORTS });
  const exportable = resources.filter(({ list }) => list);
  const resource = parseResource(document, root.resource, exportable);
  const columns = parseColumns(below(whole, 'export'), root.export, resource);
  document.throwIfAny();
  return {
    name,
    title: titleOf(root, name),
    resource: resource as Resource,
    columns,
    digest: digestOf(text),
  };
}

const EXPORT = 'export takes a list of columns, each with the field that it shows.';

function parseColumns(place: DocumentPlace, value: unknown, resource: Resource | undefined): ExportColumn[] {
  const { document, path } = place;
  const given = asObject(place, value, EXPORT);
  const names = document.inOrder(path, Object.keys(given));
  if (given === value && names.length === 0) document.addError(path, EXPORT);
  // Fields cannot be checked without a resource.
  if (!resource) return [];
  const type = fieldType(resource.schema);
  return names.map((name) => {
    const column: ColumnPlace = { ...below(place, name), target: name, noun: 'field', resource, type };
    if (name.trim() === '') document.addError(column.path, 'A column needs a name.');
    return { name, values: parseValues(column, given[name]) };
  });
}

interface ColumnPlace extends RulePlace {
  readonly resource: Resource;
  /** Type of the item, for looking up paths. */
  readonly type: FieldType;
}

/** Names of fields never contain braces. */
const TEMPLATE = /\{[^{}]+\}/;

/** Parses the value of a column: a path, a template, a value with steps, or several of them. */
function parseValues(place: ColumnPlace, value: unknown): SourcedValue[] {
  if (typeof value === 'string')
    return [parseValue(place, TEMPLATE.test(value) ? { template: value } : { from: value })];
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, index) => parseValues(below(place, index), each));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return [parseValue(place, value as Record<string, unknown>)];
  refuseBare(place, value);
  return [];
}

function parseValue(place: ColumnPlace, given: Record<string, unknown>): SourcedValue {
  refuseKeys(place, given, { own: EXPORT_VALUE_KEYS, ofImports: VALUE_KEYS_OF_IMPORTS });
  const { makes, ...work } = parseSteps(place, given);
  const source = parseSource(place, given);
  checkSource(place, source);
  const when = parseWhen(place, given, 'first');
  checkCondition(below(place, 'when'), when.when);
  return {
    source,
    trim: parseFlag(place, given, 'trim') ?? (makes.length > 0 || isPutTogether(source)),
    ...work,
    ...when,
    ...(given.default === undefined ? {} : { default: given.default as Json }),
  };
}

/** True if a value is assembled from texts, and so trimmed. A value without steps keeps the store's blanks. */
function isPutTogether(source: ValueSource): boolean {
  return source.kind === 'template' || (source.kind === 'columns' && source.join !== undefined);
}

function checkSource(place: ColumnPlace, source: ValueSource): void {
  const paths = sourceColumns(source);
  if (source.kind === 'template') {
    const template = below(place, 'template');
    if (paths.length === 0)
      place.document.addError(
        template.path,
        'This template has no {field} in it: for fixed text there is const.',
      );
    for (const each of paths) checkPath(template, each);
  } else for (const [index, each] of paths.entries()) checkPath(below(place, 'from', index), each);
}

function checkCondition(place: ColumnPlace, condition: MappingCondition | undefined): void {
  for (const column of new Set(condition?.tests.map((test) => test.column)))
    checkPath(below(place, column), column);
  for (const { column, other } of condition?.tests ?? [])
    if (other !== undefined) checkPath(below(place, column), other);
}

/** Adds an error if the items have no such field. */
function checkPath({ document, path, resource, type }: ColumnPlace, field: string): void {
  const isKnown = field === REST_COLUMN || nativeColumns(resource).includes(field);
  if (isKnown || isDocumented(type, field.split('.'))) return;
  document.addError(path, `${resource.singular} has no field "${field}".${hintFor(field, type, resource)}`);
}

/** Suggests a path: an item of a list, or a similar name; otherwise lists all names. */
function hintFor(path: string, type: FieldType, resource: Resource): string {
  const columns = nativeColumns(resource);
  const above = columns.find((column) => path.startsWith(`${column}.`));
  if (above !== undefined && typeAt(type, above.split('.'))?.kind === 'list')
    return ` "${above}" is a list: its items are named by their place, such as ${above}.0.`;
  return didYouMean(path, columns.flatMap(withObjects)) || ` There are ${columns.join(', ')}.`;
}

/** `product.name` → `product`, `product.name`. */
function withObjects(column: string): string[] {
  const names = column.split('.');
  return names.map((_name, index) => names.slice(0, index + 1).join('.'));
}

/** Adds an error for each key that an export does not have, with other words for keys that imports have. */
function refuseKeys(
  place: DocumentPlace,
  given: object,
  { own, ofImports }: { readonly own: readonly string[]; readonly ofImports: readonly string[] },
): void {
  const foreign = Object.keys(given).filter((key) => ofImports.includes(key));
  for (const key of foreign)
    place.document.addError(
      [...place.path, key],
      `"${key}" is for mappings that read files. An export has ${own.join(', ')}.`,
    );
  refuseUnknownKeys(place, given, [...own, ...foreign]);
}
