import { existsSync } from 'node:fs';
import { ConfigError, shownWord } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { CommandContext } from '../context.ts';
import { CONFIG_FILE } from './options.ts';
import { profileOf } from './settings.ts';

export interface ApiArguments {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/**
 * All resources as the store of this command has them: with the `api:` section of the configuration file. To be asked
 * for when a command begins, so that whatever is wrong in the file is said before anything else happens. Throws
 * ConfigError.
 *
 * A sandbox speaks the API as its document has it, so there the section is checked, and does not count.
 */
export async function resourcesFor(
  args: ApiArguments,
  { environment, terminal, log }: CommandContext,
): Promise<readonly Resource[]> {
  const { overridden, placesIn, RESOURCES } = await import('../../resources/index.ts');
  const profile = profileOf(args, environment);
  // Without the file, which is the usual case, YAML is not even loaded.
  if (!existsSync(CONFIG_FILE) && (profile === undefined || args.sandbox)) return RESOURCES;
  const { readApi } = await import('./config.ts');
  const api = readApi(profile);
  const places = placesIn(api);
  if (places.length === 0) return RESOURCES;
  if (args.sandbox) {
    terminal.note(`The sandbox speaks the API as it is: api in ${CONFIG_FILE} does not count.`);
    return RESOURCES;
  }
  log.info({ stage: 'settings', api }, 'the API as the configuration file has it');
  terminal.note(`API as in ${CONFIG_FILE}: ${places.join(', ')}.`);
  return RESOURCES.map((resource) => overridden(resource, api[resource.name]));
}

const ENDPOINTS = { import: 'create', export: 'list' } as const;

/** The resource of that name, for a command that imports or exports it. Throws ConfigError with what there is. */
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
