import { fieldType, importable, type Resource } from '../../resources/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { JoinedFile, Mapping, Watched } from '../mapping.ts';
import { ABOUT_ROWS } from '../references.ts';
import { gapsIn } from '../rows/header-pattern.ts';
import type { LookupTable } from '../steps/index.ts';
import { asObject, type MappingDocument, type Path, parseMappingDocument } from './document.ts';
import { parseGroup, parseSkip } from './parse-group.ts';
import { digestOf, forExport, isForExport, parseResource, titleOf } from './parse-head.ts';
import { refuseUnknownKeys } from './parse-parts.ts';
import { parseFields } from './parse-rule.ts';

/** Top-level keys of an import mapping. */
export const MAPPING_KEYS = [
  'resource',
  'title',
  'recognise',
  'joined',
  'columns',
  'key',
  'skip',
  'group',
  'fields',
];

/**
 * Parses a mapping and checks all of it against its resource's schema. Throws ConfigError that lists every mistake with
 * line and column and, for an unknown name, with the nearest known one.
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
    if (!MAPPING_KEYS.includes(key))
      document.addError([key], `"${key}" is not a key of a mapping.${didYouMean(key, MAPPING_KEYS)}`);

  const resource = parseResource(document, root.resource, importable);
  const skip = parseSkip(document, root.skip);
  const keyBy = parseKey(document, root.key, resource);
  const recognise = parseRecognise(document, root.recognise, ['recognise']);
  const joined = parseJoined(document, root.joined);
  if (joined.length > 0 && recognise.length === 0)
    document.addError(['joined'], 'joined needs recognise beside it: the columns of the main file.');
  const aliases = parseAliases(document, root.columns);
  const lookups: LookupTable[] = [];
  const watched: Watched[] = [];
  const refers = referenceOf(aliases);
  const around = { document, lookups, watched, refers, inRows: false, inList: false };
  const group = parseGroup(around, root.group, resource);
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
    ...group,
    ...skip,
    ...(joined.length === 0 ? {} : { joined }),
    ...(keyBy === undefined ? {} : { keyBy }),
    fields,
    lookups,
    watched,
    digest: digestOf(text),
  };
}

/** Tests references outside lists: facts about the row, and gaps in a column's name. */
function referenceOf(aliases: ReadonlyMap<string, readonly string[]>): (inner: string) => boolean {
  const gaps = [...aliases].flatMap(([name, others]) => {
    const own = gapsIn(name);
    return others.flatMap(gapsIn).flatMap((gap) => (own.includes(gap) ? [] : [`${name}.${gap}`]));
  });
  const known = new Set([...Object.keys(ABOUT_ROWS), ...gaps]);
  return (inner) => known.has(inner);
}

/** Parses `key`. Refused if the payload of the resource has a key; otherwise it names a column. */
function parseKey(
  document: MappingDocument,
  value: unknown,
  resource: Resource | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  if (resource?.key)
    document.addError(['key'], `${resource.name} are known by ${resource.key.join(' or ')}: leave key out.`);
  if (typeof value === 'string') return value;
  document.addError(['key'], 'key takes the name of a column.');
  return undefined;
}

function parseRecognise(document: MappingDocument, value: unknown, path: Path): string[][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((names, index) => parseNames(document, names, [...path, index]));
  document.addError(path, 'recognise takes a list of columns.');
  return [];
}

const JOINED = 'joined takes a list of files that are read with the main one, each { title, recognise }.';

/** Keys of a joined file. */
export const JOINED_KEYS = ['title', 'recognise'];

function parseJoined(document: MappingDocument, value: unknown): JoinedFile[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    document.addError(['joined'], JOINED);
    return [];
  }
  return value.map((file, index) => {
    const path = ['joined', index];
    const given = asObject(document, file, path, JOINED);
    refuseUnknownKeys(document, given, path, JOINED_KEYS);
    const recognise = parseRecognise(document, given.recognise, [...path, 'recognise']);
    if (given === file && recognise.length === 0)
      document.addError(path, 'recognise is missing: the columns by which such a file is known.');
    return { title: titleOf(given, 'a joined file'), recognise };
  });
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

/** Parses one name of a column, or a list of alternatives. */
function parseNames(document: MappingDocument, value: unknown, path: Path): string[] {
  const names = [value].flat();
  if (names.every((name) => typeof name === 'string')) return names;
  document.addError(path, 'This takes the name of a column, or a list of names.');
  return [];
}
