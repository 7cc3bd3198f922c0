import { existsSync } from '../../model/files/fs.ts';
import { ConfigError, shownWord } from '../../model/index.ts';
import { CONFIG_FILE } from '../../options/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { CommandContext } from '../context.ts';
import { profileOf } from './settings.ts';

export interface ApiArguments {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/**
 * Returns all resources, adjusted by the `api:` section of the configuration file. Call it at the beginning of a
 * command, so that errors in the file are reported first. Throws ConfigError if the file has errors.
 *
 * A sandbox implements the documented API, so the section is checked but not applied there.
 */
export async function resourcesFor(
  args: ApiArguments,
  { environment, terminal, log }: CommandContext,
): Promise<readonly Resource[]> {
  const { overridden, placesIn, RESOURCES } = await import('../../resources/index.ts');
  const profile = profileOf(args, environment);
  // Usually there is no file, and YAML need not be loaded.
  if (!existsSync(CONFIG_FILE) && (profile === undefined || args.sandbox)) return RESOURCES;
  const { readApi } = await import('./config.ts');
  const api = readApi(profile);
  const places = placesIn(api);
  if (places.length === 0) return RESOURCES;
  if (args.sandbox) {
    terminal.note(`The sandbox has the API of the document: api in ${CONFIG_FILE} is not used.`);
    return RESOURCES;
  }
  log.info({ stage: 'settings', api }, 'the API as the configuration file has it');
  terminal.note(`API as in ${CONFIG_FILE}: ${places.join(', ')}.`);
  return RESOURCES.map((resource) => overridden(resource, api[resource.name]));
}

const ENDPOINTS = { import: 'create', export: 'list' } as const;

/** Returns the resource to import or export. Throws ConfigError with the possible names if there is none. */
export async function resourceFor(
  name: string,
  resources: readonly Resource[],
  purpose: keyof typeof ENDPOINTS,
): Promise<Resource> {
  const choice = resources.filter((resource) => resource[ENDPOINTS[purpose]]);
  const found = choice.find((resource) => resource.name === name);
  if (found) return found;
  const names = choice.map((resource) => resource.name);
  const { didYouMean } = await import('../../map/did-you-mean.ts');
  const isKnown = resources.some((resource) => resource.name === name);
  throw new ConfigError(
    `There is no resource "${shownWord(name)}" for this command.${isKnown ? '' : didYouMean(name, names)} Choose one of: ${names.join(', ')}.`,
    isKnown ? [`The API has no way to ${purpose} ${name}.`] : [],
  );
}
