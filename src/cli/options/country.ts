import { existsSync } from '../../model/files/fs.ts';
import { CONFIG_FILE } from '../../options/index.ts';
import type { CommandContext } from '../context.ts';
import type { ApiArguments } from './api.ts';
import { profileOf } from './settings.ts';

export interface CountryArguments {
  readonly country?: string | undefined;
}

/**
 * Returns the country of phone numbers in records that name none: from the option, the profile or the configuration file, in
 * this order. Throws ConfigError if the file is invalid.
 */
export async function countryIn(
  args: CountryArguments & Pick<ApiArguments, 'profile'>,
  { environment }: Pick<CommandContext, 'environment'>,
): Promise<string | undefined> {
  if (args.country !== undefined) return args.country;
  // Usually there is no file, and YAML need not be loaded.
  if (!existsSync(CONFIG_FILE)) return undefined;
  const { readCountry } = await import('./config.ts');
  return readCountry(profileOf(args, environment));
}
