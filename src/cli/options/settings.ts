import { parseEnv } from 'node:util';
import { statSync } from '../../model/files/fs.ts';
import { ConfigError } from '../../model/index.ts';
import { variableOf } from '../../options/index.ts';
import { isPlainHttpElsewhere, normaliseBaseUrl } from '../../store/base-url.ts';
import { type Environment, FROM_FILE } from '../io.ts';
import type { Terminal } from '../output/terminal.ts';
import {
  cleanCredential,
  ENV_FILE,
  fromProfile,
  fromVariable,
  originOfVariable,
  refuseMixedOrigins,
  type Setting,
} from './origins.ts';
import { isReadableByOthers, readSettingsFile } from './settings-file.ts';

const SECRET = 'STOREPORT_CLIENT_SECRET';

/** Returns the environment, extended by `.env` in the working directory. Throws ConfigError if `.env` is invalid. */
export function readEnvironment(environment: Environment): Environment {
  // A folder named `.env` is ignored, as in other tools.
  if (!statSync(ENV_FILE, { throwIfNoEntry: false })?.isFile()) return { ...environment };
  const text = readSettingsFile(ENV_FILE);
  if (!environment[SECRET]) refuseCutSecret(text);
  const own = parseEnv(text) as Record<string, string>;
  const fromFile = Object.keys(own).filter((name) => environment[name] === undefined);
  return { ...own, ...environment, [FROM_FILE]: new Set(fromFile) };
}

/** Throws ConfigError for a `#` inside an unquoted secret: it begins a comment, and half a secret must not be sent. */
function refuseCutSecret(text: string): void {
  if (!/^\s*(?:export\s+)?STOREPORT_CLIENT_SECRET\s*=\s*[^\s"'`#][^\n#]*(?<=\S)#/m.test(text)) return;
  throw new ConfigError(`The client secret in ${ENV_FILE} has a #, which begins a comment there.`, [
    'Put the secret into single quotes.',
  ]);
}

/** Address and credentials of the store, fully resolved. */
export interface StoreSettings {
  readonly baseUrl: string;
  /** Origins of address and secret: the folder's `.env` must not redirect a secret from elsewhere. */
  readonly from?: { readonly address: string; readonly isSecretOfFolder: boolean };
  readonly clientId: string;
  readonly clientSecret: string;
  readonly storeId?: string;
}

export interface StoreArguments {
  readonly baseUrl?: string | undefined;
  readonly clientId?: string | undefined;
  readonly storeId?: string | undefined;
  readonly profile?: string | undefined;
}

/**
 * Resolves settings in the order command line, named profile, environment. A profile describes one store, and a stray
 * variable must not send its secret to another. The secret is read from the profile's file (which only its owner may be
 * able to read), the environment or a prompt. It is never read from the command line, which other users of the machine
 * can see. Throws ConfigError if a setting is missing or unsafe.
 */
export async function storeSettings(
  given: StoreArguments,
  environment: Environment,
  terminal: Terminal,
): Promise<StoreSettings> {
  return checkedSettings(await givenSettings(given, environment), terminal);
}

/**
 * Checks settings and removes blanks from credentials. Asks for the secret if there is none. Throws ConfigError if a
 * setting is missing or unsafe.
 */
export async function checkedSettings(settings: GivenSettings, terminal: Terminal): Promise<StoreSettings> {
  const address = addressOf(settings);
  const { value: baseUrl } = address;
  const onCut = (message: string) => terminal.error(`Warning: ${message}`);
  const clean = (what: string, setting: Setting | undefined) =>
    setting && cleanCredential(what, setting, onCut).value;
  const clientId = clean('client id', settings.setting('client-id'));
  const storeId = clean("store's id", settings.setting('store-id'));
  if (!clientId) throw missing('the client id', 'client-id');

  const found = settings.secret ?? (await promptedSecret(address, terminal));
  // Hidden before any message about it is written.
  if (found) terminal.hide(found.value);
  const secret = found && cleanCredential('client secret', found, onCut);
  if (!secret?.value)
    throw new ConfigError('The client secret is not set.', [
      'Set STOREPORT_CLIENT_SECRET in the environment or in .env, or write client-secret in a profile.',
    ]);
  terminal.hide(secret.value);
  refuseMixedOrigins(secret, address);
  if (secret.origin === ENV_FILE && isReadableByOthers(ENV_FILE))
    terminal.error(
      `Warning: ${ENV_FILE} holds the client secret, and others on this machine can read it. Run: chmod 600 ${ENV_FILE}`,
    );
  if (isPlainHttpElsewhere(baseUrl))
    terminal.error(`Warning: ${baseUrl} is plain http, so the client secret travels unencrypted. Use https.`);
  return {
    baseUrl,
    from: {
      address: address.place,
      isSecretOfFolder: secret.origin !== 'environment' && secret.origin !== 'prompt',
    },
    clientId,
    clientSecret: secret.value,
    ...(storeId ? { storeId } : {}),
  };
}

async function promptedSecret(
  { value, place }: Setting,
  { askSecret }: Pick<Terminal, 'askSecret'>,
): Promise<Setting | undefined> {
  const typed = await askSecret?.(`Client secret for ${value} (from ${place}): `);
  return typed === undefined ? undefined : { value: typed, origin: 'prompt', place: 'what you typed' };
}

/** Returns the store's address for commands that do not connect. Throws ConfigError if it is not set. */
export async function storeAddress(given: StoreArguments, environment: Environment): Promise<string> {
  return addressOf(await givenSettings(given, environment)).value;
}

/** Settings as they are written, each with its source. */
export interface GivenSettings {
  readonly setting: (option: 'base-url' | 'client-id' | 'store-id') => Setting | undefined;
  /** Undefined if it is not set, and has to be asked for. */
  readonly secret: Setting | undefined;
}

/** Finds each setting in the strongest source that has it. */
export async function givenSettings(given: StoreArguments, environment: Environment): Promise<GivenSettings> {
  const profile = profileOf(given, environment);
  const named = profile === undefined ? undefined : await profileNamed(profile);
  const isChosenByFile =
    given.profile === undefined && originOfVariable(variableOf('profile'), environment) === ENV_FILE;
  const own = (value: string | undefined) =>
    value && profile !== undefined ? fromProfile(profile, value, isChosenByFile) : undefined;
  const variable = (name: string) => {
    const value = environment[name];
    return value ? fromVariable(name, value, environment) : undefined;
  };
  const options = { 'base-url': given.baseUrl, 'client-id': given.clientId, 'store-id': given.storeId };
  return {
    setting(option) {
      const value = options[option];
      return value === undefined
        ? (own(named?.[option]) ?? variable(variableOf(option)))
        : { value, origin: 'command line', place: `--${option}` };
    },
    secret: own(named?.['client-secret']) ?? variable(SECRET),
  };
}

function addressOf({ setting }: GivenSettings): Setting {
  const address = setting('base-url');
  if (address === undefined) throw missing("the store's address", 'base-url');
  return { ...address, value: normaliseBaseUrl(address.value) };
}

/** Returns the name of the selected profile, if any. */
export function profileOf(
  given: Pick<StoreArguments, 'profile'>,
  environment: Environment,
): string | undefined {
  return given.profile ?? environment[variableOf('profile')];
}

/** Reads a profile. Loads YAML and its schema check only now, since nothing else here needs them. */
async function profileNamed(name: string) {
  const { readProfile } = await import('./config.ts');
  return readProfile(name);
}

function missing(what: string, option: string): ConfigError {
  return new ConfigError(`Where to? ${what[0]?.toUpperCase()}${what.slice(1)} is not set.`, [
    `Give --${option}, set ${variableOf(option)}, or try it out with --sandbox.`,
    'Or keep the store in a profile: storeport init',
  ]);
}
