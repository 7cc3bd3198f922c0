import { ConfigError, isOwnColumn, type Table } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { misfitIn } from '../bind/native-objects.ts';
import { createRowView, headerOf } from '../bind/row-view.ts';
import type { JoinedFile, Mapping } from '../mapping.ts';
import { columnsOf } from '../rows/columns.ts';
import { ID_COLUMN } from '../rows/own-columns.ts';
import { looksInObjects } from '../rows/used-columns.ts';
import { parseMapping } from '../syntax/parse.ts';
import { isForResource, loadPreset, presetNames, presetText } from './load.ts';
import { type HeaderNeeds, isNative, nativeMapping, nearlyNative } from './native.ts';

/** A preset, with the recognised columns that a file lacks. */
interface Ranked {
  readonly mapping: Mapping;
  readonly missing: readonly string[];
}

/**
 * Parses only the part of a preset before its rules, which is enough to recognise a file. Parsing the rules of every
 * preset would take longer than checking a small file.
 */
function loadHead(name: string): Mapping {
  const text = presetText(name);
  return parseMapping(name, `${text.slice(0, text.search(RULES))}\nfields: {}\n`);
}

const RULES = /^(?:group|skip|fields):/m;

/**
 * Chooses the mapping for a file if the user named none: the native form if the header has the API's own names, else
 * the preset that matches the header. Throws ConfigError that says what the nearest preset misses.
 */
export function recogniseMapping(file: Table, resource: Resource, needs: HeaderNeeds): Mapping {
  const { required } = needs;
  const table = headerOf(file);
  // Without objects there is nothing to recognise. Reading the file reports what is wrong, or that it is empty.
  if (file.items?.length === 0) return nativeMapping(file, resource);
  const misfit = file.items && misfitIn(file.items, resource);
  const hasNames = isNative(table, resource, needs);
  const isPayload = hasNames && misfit === undefined;
  const nearNative = nearlyNative(table, resource, required);
  // If most columns are not API paths, the few that are may be chance.
  if (isPayload && nearNative) return nativeMapping(file, resource);
  const presets = presetNames().map(loadHead);
  const candidates = presets.filter((preset) => preset.recognise.length > 0);
  const ranked = candidates
    .map((mapping) => ({ mapping, missing: missingIn(mapping, table) }))
    .sort(
      (a, b) =>
        a.missing.length - b.missing.length || b.mapping.recognise.length - a.mapping.recognise.length,
    );
  const fit = ranked.find(({ mapping, missing }) => missing.length === 0 && isForResource(mapping, resource));
  if (fit) return loadPreset(fit.mapping.name);
  const parts = presets.flatMap((preset) => {
    const joined = isForResource(preset, resource) ? joinedAs(preset, table) : undefined;
    return joined
      ? [`It looks like ${joined.title}: name it together with ${preset.title}, in one command.`]
      : [];
  });
  if (isPayload && parts.length === 0) return nativeMapping(file, resource);

  const fitsOther = ranked.find(({ missing }) => missing.length === 0)?.mapping;
  const similar = fitsOther
    ? [`It looks like ${fitsOther.title}: storeport import ${fitsOther.resource.name} ${table.file}`]
    : nearestIn(ranked, resource, file);
  const hints = parts.length > 0 ? parts : similar;
  if (hasNames && misfit !== undefined)
    throw new ConfigError(
      `${file.file} has objects with the API's names, but "${misfit}" has another kind of value than in the API.`,
      [...hints, `Name a mapping with --mapping that converts "${misfit}".`],
    );
  if (nearNative !== undefined && fitsOther === undefined)
    throw new ConfigError(
      `${table.file} has the API's own fields of ${resource.name} as columns, but none for ${nearNative.missing.join(' and ')}, which each new record must have.`,
      [
        `The API's own fields: ${listed(nearNative.known)}.${nearNative.others.length > 0 ? ` Others: ${listed(nearNative.others)}.` : ''}`,
        `Add or rename a column, or name a mapping with --mapping.${resource.update ? ` For updates a column ${ID_COLUMN} is enough.` : ''}`,
      ],
    );
  const [what, names] = file.items ? ['objects', 'fields'] : ['a header', 'columns'];
  throw new ConfigError(
    `${table.file} has ${what} that no mapping for ${resource.name} knows.`,
    [
      ...hints,
      `Its ${names}: ${listed(table.header)}.`,
      `Name a mapping of your own with --mapping (docs/mappings.md says how to write one), or rename its ${names} to the API's own fields (${required.join(', ')}, …).`,
    ],
    'no-mapping',
  );
}

/**
 * The preset that is probably meant although the file lacks some of its columns. Names such as "name", "type" and
 * "price" occur on every platform. So the preset must also read most of the file's columns.
 */
function nearestIn(ranked: readonly Ranked[], resource: Resource, file: Table): string[] {
  const near = ranked.find(
    ({ mapping, missing }) =>
      isForResource(mapping, resource) &&
      missing.length * 2 < mapping.recognise.length &&
      readsMost(loadPreset(mapping.name), file),
  );
  return near
    ? [`The nearest preset is ${near.mapping.name}; for it the file lacks ${near.missing.join(' and ')}.`]
    : [];
}

function readsMost(mapping: Mapping, file: Table): boolean {
  if (file.items === undefined && looksInObjects(mapping.fields)) return false;
  const names = headerOf(file).header.filter((name) => name.trim() !== '' && !isOwnColumn(name));
  const unused = new Set(createRowView(mapping, file).unused());
  return names.filter((name) => unused.has(name)).length * 2 < names.length;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`;
}

/** How a mapping reads a file: as one of its own, or as one that is joined to these; undefined if it does not. */
export function readsTable(mapping: Mapping, table: Table): 'own' | 'joined' | undefined {
  if (missingIn(mapping, table).length === 0) return 'own';
  return joinedAs(mapping, table) ? 'joined' : undefined;
}

/** The preset that reads all these files together, although they have different columns. */
export function recogniseJoined(tables: readonly Table[], resource: Resource): Mapping | undefined {
  const head = presetNames()
    .map(loadHead)
    .find(
      (mapping) =>
        isForResource(mapping, resource) &&
        mapping.joined !== undefined &&
        tables.every((table) => readsTable(mapping, table)) &&
        tables.some((table) => readsTable(mapping, table) === 'own'),
    );
  return head && loadPreset(head.name);
}

function joinedAs(mapping: Mapping, table: Table): JoinedFile | undefined {
  return mapping.joined?.find(({ recognise }) => missingIn({ ...mapping, recognise }, table).length === 0);
}

function missingIn({ aliases, recognise }: Pick<Mapping, 'aliases' | 'recognise'>, table: Table): string[] {
  const columns = columnsOf(table, aliases);
  return recognise
    .filter((names) => names.every((name) => columns.find(name) === undefined))
    .map((names) => names.map((name) => `"${name}"`).join(' or '));
}
