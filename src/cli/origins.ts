import { ConfigError, shownWord } from '../model/index.ts';
import { CONFIG_FILE, variableOf } from './options.ts';

export const ENV_FILE = '.env';

/**
 * Where a setting comes from. `.env` and profiles are files of the working directory, which may be somebody else's. A
 * profile is chosen where its name is: on the command line or in the environment, or by `.env`.
 */
export type Origin =
  | 'command line'
  | 'environment'
  | '.env'
  | 'profile chosen by you'
  | 'profile chosen by .env'
  | 'prompt';

/** A setting, and how a message names the place it comes from. */
export interface Setting {
  readonly value: string;
  readonly origin: Origin;
  readonly place: string;
}

const ALL: readonly Origin[] = [
  'command line',
  'environment',
  '.env',
  'profile chosen by you',
  'profile chosen by .env',
];

/**
 * To addresses of which origin a secret may go: to one from the same place, or from where nobody but the user can write.
 * A secret of the environment counts in every folder, so a folder must not say where it goes. At a prompt the user sees
 * the address.
 */
export const ADDRESSES_FOR: Readonly<Partial<Record<Origin, readonly Origin[]>>> = {
  environment: ['command line', 'environment', 'profile chosen by you'],
  '.env': ALL,
  'profile chosen by you': ALL,
  'profile chosen by .env': ALL,
  prompt: ALL,
};

/** Throws ConfigError where a file of the folder would say where a secret goes that is not from the folder. */
export function refuseMix(secret: Setting, address: Setting): void {
  if (ADDRESSES_FOR[secret.origin]?.includes(address.origin)) return;
  throw new ConfigError(
    `The client secret comes from ${secret.place}, but the base URL ${address.value} from ${address.place} in this folder. ` +
      'It was not sent: whoever writes files in this folder could have it sent anywhere.',
    [
      `If that is your store, say so yourself: --base-url ${address.value}, or ${variableOf('base-url')} in the environment.`,
      ...(address.origin === 'profile chosen by .env'
        ? ['Or choose the profile yourself, with --profile.']
        : []),
      'Or keep the secret in the same place as the address, readable by you alone (chmod 600).',
    ],
  );
}

/** Of a variable: what is not in the environment itself was added by `.env`. */
export function originOfVariable(variable: string): '.env' | 'environment' {
  return process.env[variable] === undefined ? ENV_FILE : 'environment';
}

export function fromVariable(variable: string, value: string): Setting {
  const origin = originOfVariable(variable);
  return { value, origin, place: origin === ENV_FILE ? ENV_FILE : variable };
}

export function fromProfile(name: string, value: string, isChosenByFile: boolean): Setting {
  return {
    value,
    origin: isChosenByFile ? 'profile chosen by .env' : 'profile chosen by you',
    place: `the profile ${shownWord(name)} of ${CONFIG_FILE}${isChosenByFile ? `, chosen by ${ENV_FILE},` : ''}`,
  };
}

/** Blanks at the ends of what was pasted or read from a file, and marks that editors put there unseen. */
const ENDS = /^[\s\u200b\ufeff]+|[\s\u200b\ufeff]+$/g;

/** Control characters and characters that nobody sees: no store gives them out, and a paste may bring them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/u;

/**
 * A credential without what does not belong to it. `onCut` is told what was taken off its ends. Throws ConfigError, which
 * does not repeat it, for what cannot be a part of one.
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
      ['Copy it again, in one line, and set it anew.'],
    );
  return { ...setting, value };
}

function kindOf(characters: string): string {
  if (/[\n\r\u2028\u2029]/.test(characters)) return 'a line break';
  if (/^ +$/.test(characters)) return 'a blank';
  const [first = ''] = characters.trim() || characters;
  return `a character that is not seen (U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`;
}
