import { fieldType, importable, type Resource } from '../../resources/index.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { JoinedFile, Mapping, WatchedRule } from '../mapping.ts';
import { ABOUT_ROWS } from '../references.ts';
import { gapsIn } from '../rows/header-pattern.ts';
import type { LookupTable } from '../steps/index.ts';
import { asObject, below, type DocumentPlace, parseMappingDocument } from './document.ts';
import { parseCheck } from './parse-check.ts';
import { parseChecks } from './parse-checks.ts';
import { parseGroup, parseSkip } from './parse-group.ts';
import { digestOf, forExport, isForExport, parseResource, titleOf } from './parse-head.ts';
import { parseReading } from './parse-reading.ts';
import { refuseUnknownKeys } from './parse-source.ts';
import { parseWords } from './parse-words.ts';
import type { KnowsReference } from './places.ts';
import { parseFields } from './rules/parse-rule.ts';

/** Top-level keys of an import mapping. */
export const MAPPING_KEYS = [
  'resource',
  'title',
  'source',
  'recognise',
  'joined',
  'columns',
  'key',
  'carry',
  'skip',
  'group',
  'words',
  'fields',
  'check',
  'checks',
];

/**
 * Parses a mapping and checks all of it against its resource's schema. Throws ConfigError that lists every mistake with
 * line and column and, for an unknown name, with the nearest known one.
 */
export function parseMapping(name: string, text: string): Mapping {
  const document = parseMappingDocument(name, text);
  const whole: DocumentPlace = { document, path: [] };
  const root = asObject(whole, document.value, 'A mapping is a list of keys: resource, group, fields, …');
  if (isForExport(root)) throw forExport(name, root.resource);
  for (const key of Object.keys(root))
    if (!MAPPING_KEYS.includes(key))
      document.addError([key], `"${key}" is not a key of a mapping.${didYouMean(key, MAPPING_KEYS)}`);

  const resource = parseResource(document, root.resource, importable);
  const source = parseReading(below(whole, 'source'), root.source);
  const skip = parseSkip(below(whole, 'skip'), root.skip);
  const carry = parseCarry(below(whole, 'carry'), root.carry);
  const keyBy = parseKey(below(whole, 'key'), root.key, resource);
  const recognise = parseRecognise(below(whole, 'recognise'), root.recognise);
  const joined = parseJoined(below(whole, 'joined'), root.joined);
  if (joined.length > 0 && recognise.length === 0)
    document.addError(['joined'], 'joined needs recognise beside it: the columns of the main file.');
  const aliases = parseAliases(below(whole, 'columns'), root.columns);
  const lookups: LookupTable[] = [];
  const watched: WatchedRule[] = [];
  const shared = { lookups, watched, knowsReference: referenceTest(aliases), inRows: false, inList: false };
  const group = parseGroup({ ...below(whole, 'group'), ...shared, resource }, root.group);
  const fields = resource
    ? parseFields({ ...below(whole, 'fields'), ...shared, resource }, root.fields, fieldType(resource.schema))
    : [];
  const words = parseWords(below(whole, 'words'), root.words);
  const check = parseCheck({ ...below(whole, 'check'), ...shared, resource }, root.check);
  const checks = parseChecks({ ...below(whole, 'checks'), resource, fields }, root.checks);
  document.throwIfAny();

  return {
    name,
    title: titleOf(root, name),
    resource: resource as Resource,
    ...(source === undefined ? {} : { source }),
    recognise,
    aliases,
    ...group,
    ...(carry.length === 0 ? {} : { carry }),
    ...skip,
    ...(joined.length === 0 ? {} : { joined }),
    ...(keyBy === undefined ? {} : { keyBy }),
    fields,
    ...(words.length === 0 ? {} : { words }),
    ...(check === undefined ? {} : { check }),
    ...(checks.length === 0 ? {} : { checks }),
    lookups,
    watchedRules: watched,
    digest: digestOf(text),
  };
}

/** Creates the test of references outside lists: facts about the row, and gaps in a column's name. */
function referenceTest(aliases: ReadonlyMap<string, readonly string[]>): KnowsReference {
  const gaps = [...aliases].flatMap(([name, others]) => {
    const own = gapsIn(name);
    return others.flatMap(gapsIn).flatMap((gap) => (own.includes(gap) ? [] : [`${name}.${gap}`]));
  });
  const known = new Set([...Object.keys(ABOUT_ROWS), ...gaps]);
  return (inner) => known.has(inner);
}

/** Parses `key`. Refused if the payload of the resource has a key; otherwise it names a column. */
function parseKey(
  { document, path }: DocumentPlace,
  value: unknown,
  resource: Resource | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  if (resource?.key)
    document.addError(path, `${resource.name} are known by ${resource.key.join(' or ')}: leave key out.`);
  if (typeof value === 'string') return value;
  document.addError(path, 'key takes the name of a column.');
  return undefined;
}

function parseCarry(place: DocumentPlace, value: unknown): string[] {
  if (value === undefined) return [];
  const names = parseNames(place, value);
  if (Array.isArray(value) && value.length === 0)
    place.document.addError(place.path, 'carry takes the name of a column, or a list of names.');
  return names;
}

function parseRecognise(place: DocumentPlace, value: unknown): string[][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((names, index) => parseNames(below(place, index), names));
  place.document.addError(place.path, 'recognise takes a list of columns.');
  return [];
}

const JOINED = 'joined takes a list of files that are read with the main one, each { title, recognise }.';

/** Keys of a joined file. */
export const JOINED_KEYS = ['title', 'recognise'];

function parseJoined(place: DocumentPlace, value: unknown): JoinedFile[] {
  const { document, path } = place;
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    document.addError(path, JOINED);
    return [];
  }
  return value.map((file, index) => {
    const filePlace = below(place, index);
    const given = asObject(filePlace, file, JOINED);
    refuseUnknownKeys(filePlace, given, JOINED_KEYS);
    const recognise = parseRecognise(below(filePlace, 'recognise'), given.recognise);
    if (given === file && recognise.length === 0)
      document.addError(filePlace.path, 'recognise is missing: the columns by which such a file is known.');
    return { title: titleOf(given, 'a joined file'), recognise };
  });
}

function parseAliases(place: DocumentPlace, value: unknown): Map<string, string[]> {
  const given = asObject(place, value ?? {}, 'columns takes column: [other names].');
  return new Map(
    Object.entries(given).map(([column, names]) => [column, parseNames(below(place, column), names)]),
  );
}

/** Parses one name of a column, or a list of alternatives. */
function parseNames({ document, path }: DocumentPlace, value: unknown): string[] {
  const names = [value].flat();
  if (names.every((name) => typeof name === 'string')) return names;
  document.addError(path, 'This takes the name of a column, or a list of names.');
  return [];
}
