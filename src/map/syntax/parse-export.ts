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
import type { ExportColumn, ExportMapping, ExportValue } from '../export-mapping.ts';
import type { MappingCondition, ValueSource } from '../mapping.ts';
import { sourceColumns } from '../rows/used-columns.ts';
import { STEPS } from '../steps/index.ts';
import type { RulePlace } from './context.ts';
import { asObject, type MappingDocument, type Path, parseMappingDocument } from './document.ts';
import { digestOf, forImport, isForExport, parseResource, titleOf } from './parse-head.ts';
import {
  PART_KEYS,
  parseFlag,
  parseSource,
  parseSteps,
  parseWhen,
  refuseBare,
  refuseUnknownKeys,
} from './parse-parts.ts';

/** Top-level keys of an export mapping. */
export const EXPORT_KEYS = ['resource', 'title', 'export'];
/** Keys that only imports have. Refused by name, since authors know them from import mappings. */
const KEYS_OF_IMPORTS = ['recognise', 'columns', 'key', 'group', 'fields'];
const VALUE_KEYS_OF_IMPORTS = [
  ...['across', 'required', 'each', 'unique', 'fields', 'blank', 'expression'],
  ...STEPS.filter(({ importsOnly }) => importsOnly).map(({ name }) => name),
];
export const EXPORT_VALUE_KEYS = PART_KEYS.filter((key) => !VALUE_KEYS_OF_IMPORTS.includes(key));

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
  const root = asObject(
    document,
    document.value,
    [],
    'A mapping for exports is a list of keys: resource, title, export.',
  );
  if (!isForExport(root) && root.fields !== undefined) throw forImport(name, root.resource);
  refuseKeys(document, root, [], EXPORT_KEYS, KEYS_OF_IMPORTS);
  const exportable = resources.filter(({ list }) => list);
  const resource = parseResource(document, root.resource, exportable);
  const columns = parseColumns(document, root.export, resource);
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

function parseColumns(
  document: MappingDocument,
  value: unknown,
  resource: Resource | undefined,
): ExportColumn[] {
  const given = asObject(document, value, ['export'], EXPORT);
  const names = document.inOrder(['export'], Object.keys(given));
  if (given === value && names.length === 0) document.addError(['export'], EXPORT);
  // Fields cannot be checked without a resource.
  if (!resource) return [];
  const type = fieldType(resource.schema);
  return names.map((name) => {
    const path = ['export', name];
    if (name.trim() === '') document.addError(path, 'A column needs a name.');
    const place: ColumnPlace = { document, target: name, names: 'field', resource, type };
    return { name, values: parseValues(place, given[name], path) };
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
function parseValues(place: ColumnPlace, value: unknown, path: Path): ExportValue[] {
  if (typeof value === 'string')
    return [parseValue(place, TEMPLATE.test(value) ? { template: value } : { from: value }, path)];
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, index) => parseValues(place, each, [...path, index]));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return [parseValue(place, value as Record<string, unknown>, path)];
  refuseBare(place, value, path);
  return [];
}

function parseValue(place: ColumnPlace, given: Record<string, unknown>, path: Path): ExportValue {
  refuseKeys(place.document, given, path, EXPORT_VALUE_KEYS, VALUE_KEYS_OF_IMPORTS);
  const { makes, ...work } = parseSteps(place, given, path);
  const source = parseSource(place, given, path);
  checkSource(place, source, path);
  const when = parseWhen(place, given, path, false);
  checkCondition(place, when.when, [...path, 'when']);
  return {
    source,
    trim: parseFlag(place, given, 'trim', path) ?? (makes.length > 0 || isPutTogether(source)),
    ...work,
    ...when,
    ...(given.default === undefined ? {} : { default: given.default as Json }),
  };
}

/** True if a value is assembled from texts, and so trimmed. A value without steps keeps the store's blanks. */
function isPutTogether(source: ValueSource): boolean {
  return source.kind === 'template' || (source.kind === 'columns' && source.join !== undefined);
}

function checkSource(place: ColumnPlace, source: ValueSource, path: Path): void {
  const paths = sourceColumns(source);
  if (source.kind === 'template') {
    const at = [...path, 'template'];
    if (paths.length === 0)
      place.document.addError(at, 'This template has no {field} in it: for fixed text there is const.');
    for (const each of paths) checkPath(place, each, at);
  } else for (const [index, each] of paths.entries()) checkPath(place, each, [...path, 'from', index]);
}

function checkCondition(place: ColumnPlace, condition: MappingCondition | undefined, path: Path): void {
  for (const column of new Set(condition?.tests.map((test) => test.column)))
    checkPath(place, column, [...path, column]);
  for (const { column, other } of condition?.tests ?? [])
    if (other !== undefined) checkPath(place, other, [...path, column]);
}

function checkPath({ document, resource, type }: ColumnPlace, path: string, at: Path): void {
  const isKnown = path === REST_COLUMN || nativeColumns(resource).includes(path);
  if (isKnown || isDocumented(type, path.split('.'))) return;
  document.addError(at, `${resource.singular} has no field "${path}".${hintFor(path, type, resource)}`);
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

function refuseKeys(
  document: MappingDocument,
  given: object,
  path: Path,
  known: readonly string[],
  ofImports: readonly string[],
): void {
  const foreign = Object.keys(given).filter((key) => ofImports.includes(key));
  for (const key of foreign)
    document.addError(
      [...path, key],
      `"${key}" is for mappings that read files. An export has ${known.join(', ')}.`,
    );
  refuseUnknownKeys(document, given, path, [...known, ...foreign]);
}
