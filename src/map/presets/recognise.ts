import type { Table } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { misfitIn } from '../bind/native-objects.ts';
import { headerOf } from '../bind/row-view.ts';
import type { JoinedFile, Mapping } from '../mapping.ts';
import { columnsOf } from '../rows/columns.ts';
import { parseMapping } from '../syntax/parse.ts';
import { isForResource, loadPreset, presetNames, presetText } from './load.ts';
import { type HeaderNeeds, isNative, nativeMapping, nearlyNative } from './native.ts';
import { notRecognised, type RankedPreset } from './not-recognised.ts';

/**
 * Parses only the part of a preset before its rules, which is enough to recognise a file. Parsing the rules of every
 * preset would take longer than checking a small file.
 */
function loadHead(name: string): Mapping {
  const text = presetText(name);
  return parseMapping(name, `${text.slice(0, text.search(RULES))}\nfields: {}\n`);
}

const RULES = /^(?:group|skip|fields):/m;

// Presets ship with the tool, so they do not change. A suggestion compares them with a file once for each resource.
let parsedHeads: readonly Mapping[] | undefined;

/** Heads of all presets; parsed once per process. */
function presetHeads(): readonly Mapping[] {
  parsedHeads ??= presetNames().map(loadHead);
  return parsedHeads;
}

/**
 * Chooses the mapping for a file if the user named none: the native form if the header has the API's own names, else
 * the preset that matches the header. Throws ConfigError that says what the file seems to be.
 */
export function recogniseMapping(file: Table, resource: Resource, needs: HeaderNeeds): Mapping {
  // Without objects there is nothing to recognise. Reading the file reports what is wrong, or that it is empty.
  if (file.items?.length === 0) return nativeMapping(file, resource);
  const table = headerOf(file);
  const hasNames = isNative(table, resource, needs);
  const misfit = file.items && misfitIn(file.items, resource);
  const isPayload = hasNames && misfit === undefined;
  const near = nearlyNative(table, resource, needs.required);
  // If most columns are not API paths, the few that are may be chance.
  if (isPayload && near) return nativeMapping(file, resource);
  const presets = presetHeads();
  const ranked = rankedFor(table, presets);
  const fit = ranked.find(({ mapping, missing }) => missing.length === 0 && isForResource(mapping, resource));
  if (fit) return loadPreset(fit.mapping.name);
  const joined = presets.flatMap((preset) => {
    const part = isForResource(preset, resource) ? joinedAs(preset, table) : undefined;
    return part ? [{ part, preset }] : [];
  });
  if (isPayload && joined.length === 0) return nativeMapping(file, resource);
  throw notRecognised(file, resource, {
    required: needs.required,
    misfit: hasNames ? misfit : undefined,
    nearlyNative: near,
    ranked,
    joined,
  });
}

/** The presets that can be recognised, those first that miss the fewest columns, then those that name the most. */
function rankedFor(table: Table, presets: readonly Mapping[]): RankedPreset[] {
  return presets
    .filter((preset) => preset.recognise.length > 0)
    .map((mapping) => ({ mapping, missing: missingIn(mapping, table) }))
    .sort(
      (a, b) =>
        a.missing.length - b.missing.length || b.mapping.recognise.length - a.mapping.recognise.length,
    );
}

/** How a mapping reads a file: as one of its own, or as one that is joined to these; undefined if it does not. */
export function readsTable(mapping: Mapping, table: Table): 'own' | 'joined' | undefined {
  if (missingIn(mapping, table).length === 0) return 'own';
  return joinedAs(mapping, table) ? 'joined' : undefined;
}

/** The preset that reads all these files together, although they have different columns. */
export function recogniseJoined(tables: readonly Table[], resource: Resource): Mapping | undefined {
  const head = presetHeads().find(
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

/** The columns of `recognise` that a table lacks, as a message names them. */
function missingIn({ aliases, recognise }: Pick<Mapping, 'aliases' | 'recognise'>, table: Table): string[] {
  const columns = columnsOf(table, aliases);
  return recognise
    .filter((names) => names.every((name) => columns.find(name) === undefined))
    .map((names) => names.map((name) => `"${name}"`).join(' or '));
}
