import type { Table } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { misfitIn } from '../bind/native-objects.ts';
import { headerOf } from '../bind/row-view.ts';
import type { JoinedFile, Mapping } from '../mapping.ts';
import { columnsOf } from '../rows/columns.ts';
import { loadPreset } from './load.ts';
import { type HeaderNeeds, isNative, nativeMapping, nearlyNative } from './native.ts';
import { notRecognised, type RankedPreset } from './not-recognised.ts';
import { type PresetHead, presetIndex } from './preset-index.ts';

/** The part of a mapping that recognises files. */
interface KnownColumns {
  readonly recognise: Mapping['recognise'];
  readonly aliases: Iterable<readonly [string, readonly string[]]>;
  readonly joined?: readonly JoinedFile[];
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
  const presets = presetIndex().filter((preset) => preset.resource === resource.name);
  const [fit] = presets.filter((preset) => knows(preset, table)).sort(longestFirst);
  if (fit) return loadPreset(fit.name);
  const joined = presets.flatMap((preset) => {
    const part = joinedAs(preset, table);
    return part ? [{ part, preset }] : [];
  });
  if (isPayload && joined.length === 0) return nativeMapping(file, resource);
  throw notRecognised(file, resource, {
    required: needs.required,
    misfit: hasNames ? misfit : undefined,
    nearlyNative: near,
    ranked: rankedFor(table),
    joined,
  });
}

/** All presets, those first that miss the fewest columns, then those that name the most. */
function rankedFor(table: Table): RankedPreset[] {
  return presetIndex()
    .map((preset) => ({ preset, missing: missingIn(preset, table) }))
    .sort((a, b) => a.missing.length - b.missing.length || longestFirst(a.preset, b.preset));
}

function longestFirst(a: PresetHead, b: PresetHead): number {
  return b.recognise.length - a.recognise.length;
}

/** How a mapping reads a file: as one of its own, or as one that is joined to these; undefined if it does not. */
export function readsTable(mapping: KnownColumns, table: Table): 'own' | 'joined' | undefined {
  if (knows(mapping, table)) return 'own';
  return joinedAs(mapping, table) ? 'joined' : undefined;
}

/** The preset that reads all these files together, although they have different columns. */
export function recogniseJoined(tables: readonly Table[], resource: Resource): Mapping | undefined {
  const found = presetIndex().find(
    (preset) =>
      preset.resource === resource.name &&
      preset.joined !== undefined &&
      tables.every((table) => readsTable(preset, table)) &&
      tables.some((table) => readsTable(preset, table) === 'own'),
  );
  return found && loadPreset(found.name);
}

function joinedAs(mapping: KnownColumns, table: Table): JoinedFile | undefined {
  return mapping.joined?.find(({ recognise }) => knows({ ...mapping, recognise }, table));
}

/** True if a table has a column of each list. */
function knows({ aliases, recognise }: KnownColumns, table: Table): boolean {
  const columns = columnsOf(table, aliases);
  return recognise.every((names) => names.some((name) => columns.find(name) !== undefined));
}

/** The columns of `recognise` that a table lacks, as a message names them. */
function missingIn({ aliases, recognise }: KnownColumns, table: Table): string[] {
  const columns = columnsOf(table, aliases);
  return recognise
    .filter((names) => names.every((name) => columns.find(name) === undefined))
    .map((names) => names.map((name) => `"${name}"`).join(' or '));
}
