import { extname } from 'node:path';
import { existsSync, readFileSync } from '../../model/files/fs.ts';
import {
  againHint,
  ConfigError,
  missingFile,
  packageFile,
  readSmallFile,
  type Table,
} from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { didYouMean, nearest } from '../did-you-mean.ts';
import type { ExportMapping } from '../export-mapping.ts';
import type { Mapping } from '../mapping.ts';
import { parseMappingDocument } from '../syntax/document.ts';
import { parseMapping } from '../syntax/parse.ts';
import { parseExportMapping } from '../syntax/parse-export.ts';
import { isForExport } from '../syntax/parse-head.ts';
import { NATIVE, nativeMapping } from './native.ts';
import { presetIndex } from './preset-index.ts';

const FORMATS = ['.yaml', '.yml', '.json'];

/** Names of the presets that ship with the tool, sorted. */
export function presetNames(): string[] {
  return presetIndex().map(({ name }) => name);
}

/** A page, a fleet and a library read one file after another with the same presets. */
const loaded = new Map<string, Mapping>();

/** Presets have conditions for features that few shops have, so their use is not watched. */
export function loadPreset(name: string): Mapping {
  const preset = loaded.get(name) ?? { ...parseMapping(name, presetText(name)), watchedRules: [] };
  loaded.set(name, preset);
  return preset;
}

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
  const isFile = FORMATS.includes(extname(nameOrFile)) || /[\\/]/.test(nameOrFile);
  if (isFile) throw missingFile(nameOrFile, 'mapping file', FORMATS);
  const file = FORMATS.map((ending) => `${nameOrFile}${ending}`).find((each) => existsSync(each));
  const meant = file === undefined ? meantPresets(nameOrFile, presets) : ` Did you mean "./${file}"?`;
  throw new ConfigError(`There is no mapping "${nameOrFile}".${meant}`, [
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

/**
 * The mapping that the user named. Throws ConfigError if it is for another resource. `text`: that of a file that is not
 * written yet.
 */
export function namedMapping(nameOrFile: string, resource: Resource, text?: string): Mapping {
  const mapping =
    text === undefined && presetNames().includes(nameOrFile)
      ? loadPreset(nameOrFile)
      : parseMapping(nameOrFile, text ?? mappingText(nameOrFile));
  if (isForResource(mapping, resource)) return mapping;
  throw new ConfigError(
    `The mapping ${nameOrFile} makes ${mapping.resource.name}, and this command imports ${resource.name}.`,
    [
      `Name its resource, or another mapping.`,
      ...againHint({}, { from: resource.name, to: mapping.resource.name }),
    ],
  );
}

/** The export mapping that the user named. `resources` are those of the store. */
export function namedExportMapping(
  nameOrFile: string,
  resource: Resource,
  resources: readonly Resource[],
): ExportMapping {
  const mapping = parseExportMapping(nameOrFile, mappingText(nameOrFile), resources);
  if (isForResource(mapping, resource)) return mapping;
  throw new ConfigError(
    `The mapping ${nameOrFile} shows ${mapping.resource.name}, and this command exports ${resource.name}.`,
    [
      `Name its resource, or another mapping.`,
      ...againHint({}, { from: resource.name, to: mapping.resource.name }),
    ],
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

/** The mapping that an earlier run recognised, by its name; undefined if it is neither native nor a preset. */
export function mappingAgain(name: string, table: Table, resource: Resource): Mapping | undefined {
  if (name === NATIVE) return nativeMapping(table, resource);
  return presetNames().includes(name) ? namedMapping(name, resource) : undefined;
}

/** Compares by name: overrides of the API change the resource of a command, but no mapping depends on them. */
function isForResource(mapping: Mapping | ExportMapping, resource: Resource): boolean {
  return mapping.resource.name === resource.name;
}
