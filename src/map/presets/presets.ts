import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { ConfigError, isOwnColumn, packageFile, readSmallFile, type Table } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { misfitIn } from '../bind/native-objects.ts';
import { createRowView, shownTable } from '../bind/row-view.ts';
import { didYouMean, nearest } from '../did-you-mean.ts';
import type { ExportMapping } from '../export-mapping.ts';
import type { JoinedFile, Mapping } from '../mapping.ts';
import { columnsOf } from '../rows/columns.ts';
import { ID_COLUMN } from '../rows/own-columns.ts';
import { looksInObjects } from '../rows/used-columns.ts';
import { parseMappingDocument } from '../syntax/document.ts';
import { parseMapping } from '../syntax/parse.ts';
import { parseExportMapping } from '../syntax/parse-export.ts';
import { isForExport } from '../syntax/parse-head.ts';
import { isNative, NATIVE, nativeMapping, nearlyNative } from './native.ts';

/** A preset, with the recognised columns that a file lacks. */
interface Ranked {
  readonly mapping: Mapping;
  readonly lacks: readonly string[];
}

const FORMATS = ['.yaml', '.yml', '.json'];

/** Names of the presets that ship with the tool, sorted. */
export function presetNames(): string[] {
  return readdirSync(packageFile('mappings'))
    .filter((file) => extname(file) === '.yaml')
    .map((file) => basename(file, '.yaml'))
    .sort();
}

/** Presets have conditions for features that few shops have, so their use is not watched. */
export function loadPreset(name: string): Mapping {
  return { ...parseMapping(name, presetText(name)), watched: [] };
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

export function presetText(name: string): string {
  return readFileSync(packageFile('mappings', `${name}.yaml`), 'utf8');
}

/** The text of a preset, or of a mapping file. Throws ConfigError if there is neither. */
export function mappingText(nameOrFile: string): string {
  const presets = presetNames();
  if (presets.includes(nameOrFile)) return presetText(nameOrFile);
  if (existsSync(nameOrFile)) {
    try {
      return readSmallFile(nameOrFile, `The mapping file ${nameOrFile}`);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`The mapping file ${nameOrFile} cannot be read: ${(error as Error).message}.`);
    }
  }
  const isFile = FORMATS.includes(extname(nameOrFile)) || nameOrFile.includes('/');
  if (isFile) throw new ConfigError(`There is no mapping file ${nameOrFile}.`);
  throw new ConfigError(`There is no mapping "${nameOrFile}".${meantPresets(nameOrFile, presets)}`, [
    `Presets: ${presets.join(', ')}. A file is given by its path, such as ./mine.yaml.`,
  ]);
}

/** Suggests presets for a name such as `shopfy`: presets are named after platforms, and often only that is known. */
function meantPresets(name: string, presets: readonly string[]): string {
  const origins = new Set(presets.map((preset) => preset.slice(0, preset.indexOf('-'))));
  const origin = nearest(name, origins);
  if (origin === undefined) return didYouMean(name, presets);
  const members = presets.filter((preset) => preset.startsWith(`${origin}-`)).map((preset) => `"${preset}"`);
  return ` Did you mean ${members.join(' or ')}?`;
}

/** The mapping that the user named. Throws ConfigError if it is for another resource. */
export function namedMapping(nameOrFile: string, resource: Resource): Mapping {
  const mapping = presetNames().includes(nameOrFile)
    ? loadPreset(nameOrFile)
    : parseMapping(nameOrFile, mappingText(nameOrFile));
  if (makes(mapping, resource)) return mapping;
  throw new ConfigError(
    `The mapping ${nameOrFile} makes ${mapping.resource.name}, and this command imports ${resource.name}.`,
    [`Use: storeport import ${mapping.resource.name} … --mapping ${nameOrFile}`],
  );
}

/** The export mapping that the user named. `resources` are those of the store. */
export function namedExportMapping(
  nameOrFile: string,
  resource: Resource,
  resources: readonly Resource[],
): ExportMapping {
  const mapping = parseExportMapping(nameOrFile, mappingText(nameOrFile), resources);
  if (makes(mapping, resource)) return mapping;
  throw new ConfigError(
    `The mapping ${nameOrFile} shows ${mapping.resource.name}, and this command exports ${resource.name}.`,
    [`Use: storeport export ${mapping.resource.name} --mapping ${nameOrFile}`],
  );
}

/**
 * Parses a mapping of either kind: import mappings have `fields`, export mappings have `columns`. `resourcesOf` is
 * called only for an export, to get the resources of the store.
 */
export async function parseAnyMapping(
  name: string,
  text: string,
  resourcesOf: () => Promise<readonly Resource[]>,
): Promise<Mapping | ExportMapping> {
  const { value } = parseMappingDocument(name, text);
  const root = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return isForExport(root) ? parseExportMapping(name, text, await resourcesOf()) : parseMapping(name, text);
}

/**
 * Chooses the mapping for a file if the user named none: the native form if the header has the API's own names, else
 * the preset that matches the header. Throws ConfigError that says what the nearest preset misses.
 */
export function recogniseMapping(
  file: Table,
  resource: Resource,
  required: readonly string[],
  byKey = false,
): Mapping {
  const table = shownTable(file);
  // Without objects there is nothing to recognise. Reading the file reports what is wrong, or that it is empty.
  if (file.items?.length === 0) return nativeMapping(file, resource);
  const misfit = file.items && misfitIn(file.items, resource);
  const hasNames = isNative(table, resource, required, byKey);
  const isPayload = hasNames && misfit === undefined;
  const near = nearlyNative(table, resource, required);
  // If most columns are not API paths, the few that are may be chance.
  if (isPayload && near) return nativeMapping(file, resource);
  const presets = presetNames().map(loadHead);
  const candidates = presets.filter((preset) => preset.recognise.length > 0);
  const ranked = candidates
    .map((mapping) => ({ mapping, lacks: lacksOf(mapping, table) }))
    .sort(
      (a, b) => a.lacks.length - b.lacks.length || b.mapping.recognise.length - a.mapping.recognise.length,
    );
  const fit = ranked.find(({ mapping, lacks }) => lacks.length === 0 && makes(mapping, resource));
  if (fit) return loadPreset(fit.mapping.name);
  const parts = presets.flatMap((preset) => {
    const joined = makes(preset, resource) ? joinedAs(preset, table) : undefined;
    return joined
      ? [`It looks like ${joined.title}: name it together with ${preset.title}, in one command.`]
      : [];
  });
  if (isPayload && parts.length === 0) return nativeMapping(file, resource);

  const other = ranked.find(({ lacks }) => lacks.length === 0)?.mapping;
  const alike = other
    ? [`It looks like ${other.title}: storeport import ${other.resource.name} ${table.file}`]
    : nearestIn(ranked, resource, file);
  const hints = parts.length > 0 ? parts : alike;
  if (hasNames && misfit !== undefined)
    throw new ConfigError(
      `${file.file} has objects with the API's names, but what is called "${misfit}" in them is not what the API calls so.`,
      [...hints, `Name a mapping with --mapping: it says what becomes of "${misfit}".`],
    );
  if (near !== undefined && other === undefined)
    throw new ConfigError(
      `${table.file} has the API's own fields of ${resource.name} as columns, but none for ${near.lacks.join(' and ')}, which each new record must have.`,
      [
        `The API's own fields: ${listed(near.known)}.${near.others.length > 0 ? ` Others: ${listed(near.others)}.` : ''}`,
        `Add or rename a column, or name a mapping with --mapping.${resource.update ? ` For updates a column ${ID_COLUMN} is enough.` : ''}`,
      ],
    );
  const [what, names] = file.items ? ['objects', 'fields'] : ['a header', 'columns'];
  throw new ConfigError(`${table.file} has ${what} that no mapping for ${resource.name} knows.`, [
    ...hints,
    `Its ${names}: ${listed(table.header)}.`,
    `Name a mapping of your own with --mapping (docs/mappings.md says how to write one), or rename its ${names} to the API's own fields (${required.join(', ')}, …).`,
  ]);
}

/**
 * The preset that is probably meant although the file lacks some of its columns. Names such as "name", "type" and
 * "price" occur on every platform. So the preset must also read most of the file's columns.
 */
function nearestIn(ranked: readonly Ranked[], resource: Resource, file: Table): string[] {
  const near = ranked.find(
    ({ mapping, lacks }) =>
      makes(mapping, resource) &&
      lacks.length * 2 < mapping.recognise.length &&
      readsMost(loadPreset(mapping.name), file),
  );
  return near
    ? [`The nearest preset is ${near.mapping.name}; for it the file lacks ${near.lacks.join(' and ')}.`]
    : [];
}

function readsMost(mapping: Mapping, file: Table): boolean {
  if (file.items === undefined && looksInObjects(mapping.fields)) return false;
  const names = shownTable(file).header.filter((name) => name.trim() !== '' && !isOwnColumn(name));
  const unused = new Set(createRowView(mapping, file).unused());
  return names.filter((name) => unused.has(name)).length * 2 < names.length;
}

/** The mapping that an earlier run recognised, by its name; undefined if it is neither native nor a preset. */
export function mappingAgain(name: string, table: Table, resource: Resource): Mapping | undefined {
  if (name === NATIVE) return nativeMapping(table, resource);
  return presetNames().includes(name) ? namedMapping(name, resource) : undefined;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`;
}

/** Compares by name: overrides of the API change the resource of a command, but no mapping depends on them. */
function makes(mapping: Mapping | ExportMapping, resource: Resource): boolean {
  return mapping.resource.name === resource.name;
}

/** How a mapping reads a file: as one of its own, or as one that is joined to these; undefined if it does not. */
export function readsTable(mapping: Mapping, table: Table): 'own' | 'joined' | undefined {
  if (lacksOf(mapping, table).length === 0) return 'own';
  return joinedAs(mapping, table) ? 'joined' : undefined;
}

/** The preset that reads all these files together, although they have different columns. */
export function recogniseJoined(tables: readonly Table[], resource: Resource): Mapping | undefined {
  const head = presetNames()
    .map(loadHead)
    .find(
      (mapping) =>
        makes(mapping, resource) &&
        mapping.joined !== undefined &&
        tables.every((table) => readsTable(mapping, table)) &&
        tables.some((table) => readsTable(mapping, table) === 'own'),
    );
  return head && loadPreset(head.name);
}

function joinedAs(mapping: Mapping, table: Table): JoinedFile | undefined {
  return mapping.joined?.find(({ recognise }) => lacksOf({ ...mapping, recognise }, table).length === 0);
}

function lacksOf({ aliases, recognise }: Pick<Mapping, 'aliases' | 'recognise'>, table: Table): string[] {
  const columns = columnsOf(table, aliases);
  return recognise
    .filter((names) => names.every((name) => columns.find(name) === undefined))
    .map((names) => names.map((name) => `"${name}"`).join(' or '));
}
