import { fieldType, importable, type Resource } from '../resources/index.ts';
import { asObject, type MappingDocument, type Path, parseMappingDocument } from './document.ts';
import { gapsIn } from './header-pattern.ts';
import type { Mapping } from './mapping.ts';
import { didYouMean } from './nearest.ts';
import { digestOf, forExport, isForExport, parseResource, titleOf } from './parse-head.ts';
import { parseFields } from './parse-rule.ts';
import { ABOUT_ROWS } from './references.ts';
import type { LookupTable } from './steps/index.ts';

/** The keys of a mapping that reads files. */
export const KEYS = ['resource', 'title', 'recognise', 'columns', 'key', 'group', 'fields'];

/**
 * Reads a mapping and checks all of it against its resource's schema. Throws ConfigError that lists every mistake
 * with line, column and, for a name that does not exist, the nearest one that does.
 */
export function parseMapping(name: string, text: string): Mapping {
  const document = parseMappingDocument(name, text);
  const root = asObject(
    document,
    document.value,
    [],
    'A mapping is a list of keys: resource, group, fields, …',
  );
  if (isForExport(root)) throw forExport(name, root.resource);
  for (const key of Object.keys(root))
    if (!KEYS.includes(key))
      document.complain([key], `"${key}" is not a key of a mapping.${didYouMean(key, KEYS)}`);

  const resource = parseResource(document, root.resource, importable);
  const groupBy = parseGroup(document, root.group);
  const keyBy = parseKey(document, root.key, resource);
  const recognise = parseRecognise(document, root.recognise);
  const aliases = parseAliases(document, root.columns);
  const lookups: LookupTable[] = [];
  const refers = referenceOf(aliases);
  const around = { document, lookups, refers, inRows: false, inList: false };
  const fields = resource
    ? parseFields({ ...around, resource }, root.fields, ['fields'], fieldType(resource.schema))
    : [];
  document.throwIfAny();

  return {
    name,
    title: titleOf(root, name),
    resource: resource as Resource,
    recognise,
    aliases,
    ...(groupBy === undefined ? {} : { groupBy }),
    ...(keyBy === undefined ? {} : { keyBy }),
    fields,
    lookups,
    digest: digestOf(text),
  };
}

/** What names in braces mean outside of lists: something about the row, or what stands in a gap of a column's name. */
function referenceOf(aliases: ReadonlyMap<string, readonly string[]>): (inner: string) => boolean {
  const gaps = [...aliases].flatMap(([name, others]) => {
    const own = gapsIn(name);
    return others.flatMap(gapsIn).flatMap((gap) => (own.includes(gap) ? [] : [`${name}.${gap}`]));
  });
  const known = new Set([...Object.keys(ABOUT_ROWS), ...gaps]);
  return (inner) => known.has(inner);
}

/** Resources whose payload has a key are known by it; for the others the mapping names a column. */
function parseKey(
  document: MappingDocument,
  value: unknown,
  resource: Resource | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  if (resource?.key)
    document.complain(['key'], `${resource.name} are known by ${resource.key.join(' or ')}: leave key out.`);
  if (typeof value === 'string') return value;
  document.complain(['key'], 'key takes the name of a column.');
  return undefined;
}

const GROUP = 'group takes { by: Column }: the column whose value is the same in all rows of a record.';

function parseGroup(document: MappingDocument, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const group = asObject(document, value, ['group'], GROUP);
  for (const key of Object.keys(group))
    if (key !== 'by') document.complain(['group', key], `"${key}" is not a key of group; there is by.`);
  if (typeof group.by === 'string') return group.by;
  if (group === value) document.complain(['group'], GROUP);
  return undefined;
}

function parseRecognise(document: MappingDocument, value: unknown): string[][] {
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.map((names, index) => parseNames(document, names, ['recognise', index]));
  document.complain(['recognise'], 'recognise takes a list of columns.');
  return [];
}

function parseAliases(document: MappingDocument, value: unknown): Map<string, string[]> {
  const given = asObject(document, value ?? {}, ['columns'], 'columns takes column: [other names].');
  return new Map(
    Object.entries(given).map(([column, names]) => [
      column,
      parseNames(document, names, ['columns', column]),
    ]),
  );
}

/** One name of a column, or several of which any will do. */
function parseNames(document: MappingDocument, value: unknown, path: Path): string[] {
  const names = [value].flat();
  if (names.every((name) => typeof name === 'string')) return names;
  document.complain(path, 'This takes the name of a column, or a list of names.');
  return [];
}
