import { ConfigError, shownWord } from '../../model/index.ts';
import { CONFIG_FILE, variableOf } from '../../options/index.ts';
import { type Environment, FROM_FILE } from '../io.ts';

export const ENV_FILE = '.env';

/**
 * Source of a setting. `.env` and profiles are files of the working directory, which somebody else may have written.
 * The user chooses a profile on the command line or in the environment; `.env` can choose one, too.
 */
export type SettingOrigin =
  | 'command line'
  | 'environment'
  | '.env'
  | 'profile chosen by you'
  | 'profile chosen by .env'
  | 'prompt';

export interface Setting {
  readonly value: string;
  readonly origin: SettingOrigin;
  /** Name of the source in messages. */
  readonly place: string;
}

/** All origins of an address: it is never prompted for. */
const ALL: readonly SettingOrigin[] = [
  'command line',
  'environment',
  '.env',
  'profile chosen by you',
  'profile chosen by .env',
];

/**
 * For each origin of a secret, the origins of addresses that may receive it. A secret from the environment applies in
 * every folder, so files of one folder must not choose its address. A prompt shows the address before the user types.
 * The command line is not here, since a secret cannot be given there.
 */
export const ADDRESSES_FOR: Readonly<Partial<Record<SettingOrigin, readonly SettingOrigin[]>>> = {
  environment: ['command line', 'environment', 'profile chosen by you'],
  '.env': ALL,
  'profile chosen by you': ALL,
  'profile chosen by .env': ALL,
  prompt: ALL,
};

/** Throws ConfigError if `ADDRESSES_FOR` does not allow to send the secret to that address. */
export function refuseMixedOrigins(secret: Setting, address: Setting): void {
  if (ADDRESSES_FOR[secret.origin]?.includes(address.origin)) return;
  throw new ConfigError(
    `The client secret comes from ${secret.place}, but the base URL ${address.value} comes from ${address.place} in this folder. ` +
      'It was not sent: whoever writes files in this folder could have it sent anywhere.',
    [
      `If that is your store, say so yourself: --base-url ${address.value}, or ${variableOf('base-url')} in the environment.`,
      ...(address.origin === 'profile chosen by .env'
        ? ['Or choose the profile yourself, with --profile.']
        : []),
      'Or keep the secret in the same place as the address, readable only by you (chmod 600).',
    ],
  );
}

/** Returns the origin of a variable. */
export function originOfVariable(variable: string, environment: Environment): '.env' | 'environment' {
  return environment[FROM_FILE]?.has(variable) ? ENV_FILE : 'environment';
}

/** The setting in a variable of the environment. */
export function fromVariable(variable: string, value: string, environment: Environment): Setting {
  const origin = originOfVariable(variable, environment);
  return { value, origin, place: origin === ENV_FILE ? ENV_FILE : variable };
}

export function fromProfile(name: string, value: string, isChosenByFile: boolean): Setting {
  return {
    value,
    origin: isChosenByFile ? 'profile chosen by .env' : 'profile chosen by you',
    place: `the profile ${shownWord(name)} of ${CONFIG_FILE}${isChosenByFile ? `, chosen by ${ENV_FILE},` : ''}`,
  };
}

/** Blanks at the ends of pasted text, and invisible marks that editors add. */
const ENDS = /^[\s\u200b\ufeff]+|[\s\u200b\ufeff]+$/g;

/** Control and invisible characters: never part of a credential, but possible in pasted text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/u;

/**
 * Trims a credential. `onCut`: called with a warning if anything was removed. Throws ConfigError if the credential
 * contains a control or invisible character. The message does not contain the credential.
 */
export function cleanCredential(what: string, setting: Setting, onCut: (message: string) => void): Setting {
  const value = setting.value.replace(ENDS, '');
  const cut = setting.value.match(ENDS)?.join('') ?? '';
  const end = setting.value.startsWith(value) ? 'end' : 'beginning';
  if (cut !== '')
    onCut(`The ${what} in ${setting.place} has ${kindOf(cut)} at its ${end}, which was cut off.`);
  const [unseen] = UNSEEN.exec(value) ?? [];
  if (unseen !== undefined)
    throw new ConfigError(
      `The ${what} in ${setting.place} has ${kindOf(unseen)} in it, which cannot be right.`,
      ['Copy it again, in one line, and set it again.'],
    );
  return { ...setting, value };
}

function kindOf(characters: string): string {
  if (/[\n\r\u2028\u2029]/.test(characters)) return 'a line break';
  if (/^ +$/.test(characters)) return 'a blank';
  const [first = ''] = characters.trim() || characters;
  return `an invisible character (U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`;
}
