import { ConfigError, RunStopped, shownWord } from '../../model/index.ts';
import { CONFIG_FILE } from '../../options/index.ts';
import { normaliseBaseUrl } from '../../store/base-url.ts';
import type { Setting } from '../options/origins.ts';
import type { GivenSettings } from '../options/settings.ts';
import { isProfileName, PROFILE_NAMES } from './profile-name.ts';

/** Ways to talk with a person. An answer is undefined if the input ends. */
export interface Questions {
  text(question: string): Promise<string | undefined>;
  /** Asks without showing the answer. */
  secret(question: string): Promise<string | undefined>;
  say(message: string): void;
}

/**
 * Asks for address and credentials. Settings of the environment are offered as answers. Settings of the command line are
 * not asked for, unless all are asked `again`, since the store did not take them. Throws RunStopped (`interrupted`) if
 * the input ends.
 */
export async function askSettings(
  known: GivenSettings,
  { again }: { readonly again: boolean },
  questions: Questions,
): Promise<GivenSettings> {
  const ask = async (question: Omit<SettingQuestion, 'known'>, setting: Setting | undefined) =>
    setting?.origin === 'command line' && !again
      ? setting
      : askSetting({ ...question, known: setting }, questions);
  const settings = {
    'base-url': await ask(
      { what: 'Address of the store', example: 'https://api.example.com', check: normaliseBaseUrl },
      known.setting('base-url'),
    ),
    'client-id': await ask(
      { what: 'Client id', example: 'from the developer portal' },
      known.setting('client-id'),
    ),
    'store-id': known.setting('store-id'),
  };
  return { setting: (option) => settings[option], secret: await askForSecret(known.secret, questions) };
}

interface SettingQuestion {
  readonly what: string;
  readonly example: string;
  readonly known: Setting | undefined;
  /** Throws ConfigError for an answer that cannot be used. */
  readonly check?: (text: string) => unknown;
}

async function askSetting(
  { what, example, known, check }: SettingQuestion,
  { text, say }: Questions,
): Promise<Setting> {
  const offered = known ? ` [${shownWord(known.value)}${placeNote(known)}]` : ` (${example})`;
  for (;;) {
    const answer = answered(await text(`${what}${offered}: `)).trim();
    if (answer === '' && known) return known;
    if (answer === '') {
      say('This needs an answer. Ctrl-C stops.');
      continue;
    }
    try {
      check?.(answer);
      return typed(answer, 'command line');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      say([error.message, ...error.hints].join(' '));
    }
  }
}

async function askForSecret(known: Setting | undefined, { secret, say }: Questions): Promise<Setting> {
  const offered = known
    ? ` [Enter keeps ${known.origin === 'prompt' ? 'it' : `that of ${known.place}`}]`
    : '';
  for (;;) {
    const answer = answered(await secret(`Client secret, which is not shown${offered}: `));
    if (answer !== '') return typed(answer, 'prompt');
    if (known) return known;
    say('This needs an answer. Ctrl-C stops.');
  }
}

/** Asks for the name of the profile, and before one of `names` is replaced. */
export async function askProfileName(
  proposed: string,
  names: readonly string[],
  { text, say, ...others }: Questions,
): Promise<string> {
  for (;;) {
    const name = answered(await text(`Name of the profile [${proposed}]: `)).trim() || proposed;
    if (!isProfileName(name)) say(PROFILE_NAMES);
    else if (!names.includes(name) || (await mayReplace(name, { text, say, ...others }))) return name;
  }
}

/** Asks before a profile is replaced. */
export async function mayReplace(name: string, { text }: Questions): Promise<boolean> {
  const question = `${CONFIG_FILE} has a profile ${shownWord(name)}. Replace its address and credentials? [y/N] `;
  return /^y(es)?$/i.test(answered(await text(question)).trim());
}

/** An answer counts as given by the user, whose own secret may be sent there. */
function typed(value: string, origin: 'command line' | 'prompt'): Setting {
  return { value, origin, place: 'what you typed' };
}

function placeNote({ origin, place }: Setting): string {
  return origin === 'command line' ? '' : ` from ${place}`;
}

function answered(answer: string | undefined): string {
  if (answer === undefined) throw new RunStopped('interrupted', 'The input ended at a question.');
  return answer;
}
