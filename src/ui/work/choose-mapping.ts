import { mappingText, NATIVE, parseMapping, presetIndex, presetNames } from '../../map/index.ts';
import { ConfigError } from '../../model/index.ts';
import { firstMapping, presetsFor, presetTitle, suggestionOrNone } from '../../pipeline/suggest/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { WorkView } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import { hintsOf } from './hints.ts';
import type { WorkSample } from './samples.ts';
import { NO_HINTS, type WorkState } from './work-state.ts';

type Chosen = Pick<WorkState, 'resource' | 'origin' | 'texts' | 'at' | 'saved' | 'hints' | 'hasForeignIds'>;

const NOTHING: Omit<Chosen, 'resource' | 'origin' | 'texts'> = {
  ...{ at: 0, saved: null, hints: NO_HINTS },
  hasForeignIds: false,
};

/** Chooses resource and mapping for a file. `resources`: those that are possible. */
export async function chooseMapping(sampled: WorkSample, resources: readonly Resource[]): Promise<Chosen> {
  try {
    const { resource, preset, title, suggested } = await firstMapping(sampled.sample, resources);
    const text = preset === undefined || preset === NATIVE ? suggested?.text : mappingText(preset);
    return {
      ...{ ...NOTHING, resource, texts: text === undefined ? [] : [text] },
      origin: { kind: preset === undefined ? 'suggestion' : 'preset', name: preset ?? '', title },
      ...(suggested && preset === undefined
        ? { hints: hintsOf(suggested, sampled.facts()), hasForeignIds: suggested.hasForeignIds }
        : {}),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return emptyMapping(resources[0]?.name ?? 'products');
  }
}

/** A mapping of the user's choice: `suggestion`, `preset:NAME` or `file:PATH`. Throws ConfigError. */
export async function namedChoice(
  name: string,
  sampled: WorkSample,
  {
    resource,
    resources,
    context,
  }: { readonly resource: Resource; readonly resources: readonly Resource[]; readonly context: UiContext },
): Promise<Chosen> {
  if (name === 'suggestion') {
    const suggested = await suggestionOrNone(sampled.sample, resource);
    if (!suggested) return emptyMapping(resource.name);
    return {
      ...{ ...NOTHING, resource: resource.name, texts: [suggested.text] },
      origin: { kind: 'suggestion', name: '', title: 'a suggestion' },
      hints: hintsOf(suggested, sampled.facts()),
      hasForeignIds: suggested.hasForeignIds,
    };
  }
  const [, kind = '', value = ''] = /^(preset|file):(.+)$/s.exec(name) ?? [];
  if (kind === 'preset' && !presetNames().includes(value) && value !== NATIVE)
    throw new ConfigError(`There is no preset "${value}".`);
  if (kind === 'preset' && value === NATIVE) return chooseMapping(sampled, [resource]);
  if (kind === 'preset' || kind === 'file') {
    const path = kind === 'file' ? context.within(value) : value;
    const text = mappingText(path);
    const mapping = parseMapping(path, text);
    if (!resources.some((each) => each.name === mapping.resource.name))
      throw new ConfigError(`The mapping makes ${mapping.resource.name}, which cannot be imported.`);
    return {
      ...{ ...NOTHING, resource: mapping.resource.name, texts: [text] },
      origin: { kind, name: path, title: kind === 'file' ? context.shown(path) : presetTitle(path) },
    };
  }
  throw new ConfigError(`"${name}" is no choice of a mapping.`, ['Reload the page.']);
}

function emptyMapping(resource: string): Chosen {
  return {
    ...{ ...NOTHING, resource, texts: [`resource: ${resource}\nfields: {}\n`] },
    origin: { kind: 'suggestion', name: '', title: 'nothing that could be suggested' },
  };
}

/** Makes the function that lists all presets, those first that know the header of the file. */
export function createPresetChoices(): (
  sampled: WorkSample | undefined,
  resources: readonly Resource[],
) => WorkView['presets'] {
  /** Presets that know the header of a sample. Looking at each takes a while, and the header stays. */
  const fittingOf = new WeakMap<WorkSample, readonly string[]>();
  return (sampled, resources) => {
    const fitting = sampled ? (fittingOf.get(sampled) ?? presetsFor(sampled.sample, resources)) : [];
    if (sampled) fittingOf.set(sampled, fitting);
    const known = presetIndex().filter(({ resource }) => resources.some(({ name }) => name === resource));
    const choices = known.map(({ name, title }) => ({ name, title, fits: fitting.includes(name) }));
    return choices.sort((a, b) => Number(b.fits) - Number(a.fits));
  };
}
