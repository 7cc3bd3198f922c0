import * as z from 'zod';
import { didYouMean } from '../../map/did-you-mean.ts';
import { type MappingDocument, parseMappingDocument } from '../../map/syntax/document.ts';
import { existsSync } from '../../model/files/fs.ts';
import { COUNTRY_WORDS, ConfigError, countryCode, ownValue, shownWord } from '../../model/index.ts';
import { CONFIG_FILE } from '../../options/index.ts';
import {
  type ApiOverrides,
  apiOverrides,
  mergedOverrides,
  missingParts,
  partsObject,
  RESOURCES,
} from '../../resources/index.ts';
import { hasPassword } from './database-address.ts';
import { isReadableByOthers, readSettingsFile } from './settings-file.ts';

// An empty setting must not fall back to the environment, which may name another store.
const text = z
  .string({ error: 'text' })
  .refine((value) => value.trim() !== '', 'text that is not empty')
  .optional();
const api = apiOverrides.nullish();
const country = z
  .string({ error: COUNTRY_WORDS })
  .refine((value) => countryCode(value) !== undefined, COUNTRY_WORDS)
  .optional();
const profile = partsObject({
  'base-url': text,
  'client-id': text,
  'client-secret': text,
  'store-id': text,
  database: text,
  country,
  api,
});
const configFile = partsObject({
  profiles: z.record(z.string(), profile, { error: 'an object with a key for each profile' }).nullish(),
  country,
  api,
});

export type Profile = z.infer<typeof profile>;
type Config = z.infer<typeof configFile>;

/** Reads the settings of a profile. Throws ConfigError if the file is invalid or has no such profile. */
export function readProfile(name: string): Profile {
  return profileNamed(name, readConfig().config);
}

/**
 * Reads the store's differences from its API document: the `api:` section of the file. The section of the profile
 * overrides it field by field. Throws ConfigError for errors in the file, with line and column.
 */
export function readApi(profileName: string | undefined): ApiOverrides {
  const { config, document } = readConfig();
  const chosen = profileName === undefined ? undefined : profileNamed(profileName, config);
  const api = mergedOverrides(config.api ?? {}, chosen?.api ?? {});
  const own = profileName !== undefined && chosen?.api ? ['profiles', profileName, 'api'] : [];
  for (const resource of RESOURCES) {
    const overrides = api[resource.name];
    for (const [endpoint, part] of overrides ? missingParts(resource, overrides) : []) {
      const inProfile = (chosen?.api?.[resource.name] as Record<string, unknown> | undefined)?.[endpoint];
      document.addError(
        [...(inProfile ? own : ['api']), resource.name, endpoint],
        `${resource.name} have no ${endpoint} of their own, so this one needs ${part} too.`,
      );
    }
  }
  document.throwIfAny();
  return api;
}

/** Returns the setting `country` of a profile, or of the whole file. Throws ConfigError if the file is invalid. */
export function readCountry(profileName: string | undefined): string | undefined {
  const { config } = readConfig();
  const chosen = profileName === undefined ? undefined : profileNamed(profileName, config);
  const found = chosen?.country ?? config.country;
  return found && countryCode(found);
}

/** Names of the profiles, in the order of the file. Throws ConfigError if the file is invalid. */
export function profileNames(): readonly string[] {
  return existsSync(CONFIG_FILE) ? Object.keys(readConfig().config.profiles ?? {}) : [];
}

function profileNamed(name: string, { profiles }: Config): Profile {
  if (!existsSync(CONFIG_FILE))
    throw new ConfigError(`There is no ${CONFIG_FILE} in this folder, so no profile "${shownWord(name)}".`);
  const found = profiles && ownValue(profiles, name);
  if (found) return found;
  const names = Object.keys(profiles ?? {});
  throw new ConfigError(
    `${CONFIG_FILE} has no profile "${shownWord(name)}"; it has ${names.join(', ') || 'none'}.${didYouMean(name, names)}`,
  );
}

function readConfig(): { readonly config: Config; readonly document: MappingDocument } {
  const text = existsSync(CONFIG_FILE) ? readSettingsFile(CONFIG_FILE) : '';
  const document = parseMappingDocument(CONFIG_FILE, text, CONFIG_FILE);
  // A file with only comments is empty.
  const parsed = configFile.safeParse(document.value ?? {});
  for (const issue of parsed.error?.issues ?? []) addSchemaError(document, issue);
  document.throwIfAny();
  const config = parsed.data as Config;
  refuseIfOpen(config);
  return { config, document };
}

/** Throws ConfigError if others can read a secret in the file, whichever profile is used. */
function refuseIfOpen({ profiles }: Config): void {
  const all = Object.values(profiles ?? {});
  const secret = all.some((each) => each['client-secret'] !== undefined)
    ? 'a client secret'
    : all.some(({ database }) => database !== undefined && hasPassword(database))
      ? 'the password of a database'
      : undefined;
  if (secret !== undefined && isReadableByOthers(CONFIG_FILE))
    throw new ConfigError(`${CONFIG_FILE} holds ${secret}, but others on this machine can read it.`, [
      `Run: chmod 600 ${CONFIG_FILE}`,
    ]);
}

/** Adds an error of the schema check. Its message says what was expected, see `partsObject`. */
function addSchemaError(document: MappingDocument, issue: z.core.$ZodIssue): void {
  const path = issue.path as (string | number)[];
  const place = path.join('.') || 'The file';
  if (issue.code === 'unrecognized_keys') {
    const names = issue.message.split(', ');
    for (const key of issue.keys) {
      const nearest = didYouMean(key, names);
      document.addError([...path, key], `${place} has no "${key}".${nearest} It takes: ${issue.message}.`);
    }
    return;
  }
  const found = foundAt(document.value, path);
  const quotes = issue.message === 'text' && SCALARS.has(found) ? ': write it in quotes' : '';
  document.addError(path, `${place} must be ${issue.message}, found ${found}${quotes}.`);
}

const KINDS = { number: 'a number', boolean: 'true or false', string: 'text' } as const;
const SCALARS: ReadonlySet<string> = new Set([KINDS.number, KINDS.boolean]);

/** Describes the value found. Quotes it only below `api`, since elsewhere it may be a secret. */
function foundAt(file: unknown, path: readonly (string | number)[]): string {
  let value = file;
  for (const step of path) value = (value as Record<string | number, unknown> | null | undefined)?.[step];
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string' && value.trim() === '') return 'empty text';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const isApi = path[path[0] === 'profiles' ? 2 : 0] === 'api';
  return isApi ? JSON.stringify(value) : KINDS[typeof value as keyof typeof KINDS];
}
