import { NATIVE, presetIndex } from '../../map/index.ts';
import { ConfigError } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { FileSample } from './sample.ts';
import { presetFor, type SuggestedMapping, suggestFor } from './suggest.ts';

/** A mapping to begin with. */
export interface FirstMapping {
  readonly resource: string;
  /** Preset that knows the header, or `native` for the store's own names; undefined for a suggestion. */
  readonly preset?: string | undefined;
  readonly title: string;
  /** Undefined if nothing could be suggested. */
  readonly suggested?: SuggestedMapping | undefined;
}

/**
 * Chooses the resource and the mapping for a file: a preset that knows its header, else a suggestion. Throws ConfigError if
 * there is neither.
 */
export async function firstMapping(
  sample: FileSample,
  resources: readonly Resource[],
): Promise<FirstMapping> {
  for (const resource of resources) {
    const preset = presetFor(resource, sample);
    // Columns such as `name` are names of the store and of many other programs, so another resource may be meant.
    if (preset === undefined || (preset === NATIVE && resources.length > 1)) continue;
    return { resource: resource.name, preset, title: presetTitle(preset) };
  }
  const suggested = await suggestFor(sample, { file: sample.table.file, resources });
  const native = suggested.preset === NATIVE;
  return {
    resource: suggested.resource.name,
    ...(native ? { preset: NATIVE, title: presetTitle(NATIVE) } : { title: 'a suggestion' }),
    suggested,
  };
}

/** Presets that read this header, for any of the resources. */
export function presetsFor(sample: FileSample, resources: readonly Resource[]): string[] {
  return [...new Set(resources.flatMap((resource) => presetFor(resource, sample) ?? []))];
}

export function presetTitle(preset: string): string {
  if (preset === NATIVE) return "the store's own names";
  return presetIndex().find(({ name }) => name === preset)?.title ?? preset;
}

/** A suggestion, or undefined if nothing can be suggested. */
export async function suggestionOrNone(
  sample: FileSample,
  resource: Resource,
): Promise<SuggestedMapping | undefined> {
  try {
    return await suggestFor(sample, { file: sample.table.file, resources: [resource] });
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
