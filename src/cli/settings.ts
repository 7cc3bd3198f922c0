import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from '../model/index.ts';
import { isPlainHttpElsewhere, normaliseBaseUrl } from '../store/base-url.ts';
import { variableOf } from './options.ts';
import { isReadableByOthers } from './own-file.ts';
import { askSecret } from './prompt.ts';
import type { Terminal } from './terminal.ts';

const ENV_FILE = '.env';
const SECRET = 'STOREPORT_CLIENT_SECRET';

/** The environment, with what `.env` in the working directory adds to it. */
export function readEnvironment(environment = process.env): Record<string, string | undefined> {
  // As elsewhere, a folder of that name is passed over.
  if (!statSync(ENV_FILE, { throwIfNoEntry: false })?.isFile()) return { ...environment };
  const text = readEnvFile();
  if (!environment[SECRET]) refuseCutSecret(text);
  return { ...parseEnv(text), ...environment };
}

function readEnvFile(): string {
  try {
    return readFileSync(ENV_FILE, 'utf8');
  } catch (error) {
    throw new ConfigError(`${ENV_FILE} cannot be read: ${(error as Error).message}.`);
  }
}

/** A `#` without a blank before it may be part of the secret, but begins a comment: half a secret must not be sent. */
function refuseCutSecret(text: string): void {
  if (!/^\s*(?:export\s+)?STOREPORT_CLIENT_SECRET\s*=\s*[^\s"'`#][^\n#]*(?<=\S)#/m.test(text)) return;
  throw new ConfigError(`The client secret in ${ENV_FILE} has a #, where a comment would begin.`, [
    'Put the secret into single quotes.',
  ]);
}

/** Where the store is and who we are to it, with nothing left to default. */
export interface StoreSettings {
  readonly baseUrl: string;
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
 * Command line, then the profile that was named, then the environment: a profile is one store, and nothing that
 * happens to be set may send its secret to another. The secret comes from the profile's file (which only its owner
 * may be able to read), the environment or a prompt; never from the command line, where others on the machine see
 * it. Throws ConfigError.
 */
export async function storeSettings(
  given: StoreArguments,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<StoreSettings> {
  const { named, setting } = await settingsFrom(given, environment);
  const baseUrl = baseUrlOf(given.baseUrl ?? setting('base-url'));
  const clientId = given.clientId ?? setting('client-id');
  const storeId = given.storeId ?? setting('store-id');
  if (clientId === undefined) throw missing('the client id', 'client-id');

  const clientSecret =
    named?.['client-secret'] ||
    secretIn(environment, terminal) ||
    (await askSecret(`Client secret for ${baseUrl}: `));
  if (!clientSecret)
    throw new ConfigError('The client secret is not set.', [
      'Set STOREPORT_CLIENT_SECRET in the environment or in .env, or write client-secret in a profile.',
    ]);
  terminal.hide(clientSecret);
  if (isPlainHttpElsewhere(baseUrl))
    terminal.error(`Warning: ${baseUrl} is plain http, so the client secret travels unencrypted. Use https.`);
  return { baseUrl, clientId, clientSecret, ...(storeId === undefined ? {} : { storeId }) };
}

/** From the environment, or from `.env`, which others should not be able to read then. */
function secretIn(
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): string | undefined {
  const secret = environment[SECRET];
  if (secret && process.env[SECRET] === undefined && isReadableByOthers(ENV_FILE))
    terminal.error(
      `Warning: ${ENV_FILE} holds the client secret, and others on this machine can read it. Run: chmod 600 ${ENV_FILE}`,
    );
  return secret;
}

/** Which store is meant, for what only has to name it. Throws ConfigError. */
export async function storeAddress(
  given: StoreArguments,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { setting } = await settingsFrom(given, environment);
  return baseUrlOf(given.baseUrl ?? setting('base-url'));
}

async function settingsFrom(
  given: StoreArguments,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const profile = profileOf(given, environment);
  const named = profile === undefined ? undefined : await profileNamed(profile);
  const setting = (option: 'base-url' | 'client-id' | 'store-id') =>
    named?.[option] ?? (environment[variableOf(option)] || undefined);
  return { named, setting };
}

function baseUrlOf(address: string | undefined): string {
  if (address === undefined) throw missing("the store's address", 'base-url');
  return normaliseBaseUrl(address);
}

/** The name of the profile that counts, if any does. */
export function profileOf(
  given: Pick<StoreArguments, 'profile'>,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return (given.profile ?? environment[variableOf('profile')]) || undefined;
}

/** Loaded only when a profile is asked for: YAML and its check are not needed for anything else here. */
async function profileNamed(name: string) {
  const { readProfile } = await import('./config.ts');
  return readProfile(name);
}

function missing(what: string, option: string): ConfigError {
  return new ConfigError(`Where to? ${what[0]?.toUpperCase()}${what.slice(1)} is not set.`, [
    `Give --${option}, set ${variableOf(option)}, or try it out with --sandbox.`,
  ]);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1000 };

/** `30s`, `15m`, `500ms`, `2h`; a bare number is seconds. Milliseconds. Throws ConfigError. */
export function duration(option: string, text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  const milliseconds = amount === undefined || factor === undefined ? 0 : Number(amount) * factor;
  if (milliseconds > 0 && milliseconds <= 2_147_483_647) return milliseconds;
  throw new ConfigError(`--${option} takes a duration such as 500ms, 30s, 15m or 2h; found "${text}".`);
}

/** `20` or `5%`. Throws ConfigError. */
export function maxErrors(text: string | undefined): { count: number } | { percent: number } | undefined {
  if (text === undefined) return undefined;
  const [, amount, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (percent === '%' && Number(amount) <= 100) return { percent: Number(amount) };
  if (percent === '' && Number.isSafeInteger(Number(amount))) return { count: Number(amount) };
  throw new ConfigError(`--max-errors takes a whole number or a part such as 5%; found "${text}".`);
}

export function wholeNumber(
  option: string,
  value: number | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  throw new ConfigError(`--${option} takes a whole number ${range}.`);
}

export function positive(option: string, value: number | undefined): number | undefined {
  if (value === undefined || (value > 0 && Number.isFinite(value))) return value;
  throw new ConfigError(`--${option} takes a number above 0.`);
}

/** `["status=DRAFT", …]` → `{ status: "DRAFT" }`. */
export function constants(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1 || at === text.length - 1)
        throw new ConfigError(`--set takes path=value, such as status=DRAFT; found "${text}".`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** Checked before anything is read: every image of the run would be wrong. Throws ConfigError. */
export function imageBase(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const base = text.trim();
  if (/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(base) && URL.canParse(base)) return base;
  throw new ConfigError(
    `--image-base takes the web address of a folder, such as https://shop.example.com/media/catalog/product; found "${text}".`,
  );
}
