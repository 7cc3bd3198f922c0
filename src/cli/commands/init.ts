import { againHint, ConfigError, printedCommand, RunStopped, shownWord } from '../../model/index.ts';
import { CONFIG_FILE, STORE_OPTIONS, variableOf } from '../../options/index.ts';
import { type CommandContext, warn } from '../context.ts';
import { askProfileName, askSettings, mayReplace, type Questions } from '../init/ask-settings.ts';
import { isKeptByGit } from '../init/git-ignore.ts';
import { isProfileName, PROFILE_NAMES, profileNameFor } from '../init/profile-name.ts';
import {
  checkedSettings,
  type GivenSettings,
  givenSettings,
  type StoreSettings,
} from '../options/settings.ts';
import { paintCommands } from '../output/colour.ts';
import { exportReviews, fileSteps, stepLines } from '../output/first-steps.ts';
import type { TerminalQuestions } from '../output/prompt.ts';
import { type ConnectArguments, connectTo } from '../store.ts';
import { type ObtainedToken, obtainToken, tokenLines } from '../token.ts';
import type { Command } from './command.ts';

interface InitArguments {
  readonly home: string;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly clientId?: string;
  readonly storeId?: string;
  readonly timeout: string;
  readonly check: boolean;
  readonly force: boolean;
}

export const initCommand: Command<InitArguments> = {
  usage: 'init [profile]',
  summary: `Ask for a store, check the credentials, and write a profile to ${CONFIG_FILE}`,
  positionals: {
    profile: { describe: 'Name of the profile (default: made from the address)', completes: 'profile' },
  },
  options: {
    'base-url': STORE_OPTIONS['base-url'],
    'client-id': STORE_OPTIONS['client-id'],
    'store-id': STORE_OPTIONS['store-id'],
    timeout: STORE_OPTIONS.timeout,
    check: {
      topic: 'store',
      type: 'boolean',
      default: true,
      describe: 'Obtain a token first; --no-check does not, for a machine that cannot reach the store',
      emptyIsNone: true,
    },
    force: {
      topic: 'store',
      type: 'boolean',
      default: false,
      describe: 'Replace address and credentials of an existing profile without asking',
    },
  },
  examples: [
    ['$0 init', 'Ask for everything'],
    ['$0 init paris --base-url https://paris.example.com --client-id my-client', 'Ask for the secret only'],
  ],
  async run(args, context) {
    const interrupted = context.onInterrupt();
    try {
      return await initProfile(args, context, interrupted);
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
      const message = error.message.replace(/[.]?$/, '.');
      throw new RunStopped(error.reason, `${message} No profile was written.`, error.hints);
    }
  },
};

async function initProfile(
  args: InitArguments,
  context: CommandContext,
  interrupted: AbortSignal,
): Promise<number> {
  const { profileNames } = await import('../options/config.ts');
  // Errors in the file are found before anything is asked.
  const names = profileNames();
  const questions = context.terminal.questions
    ? questionsFor(context.terminal, context.terminal.questions, interrupted)
    : undefined;
  const replaceable = { names, force: args.force, questions };
  if (args.profile !== undefined) await refuseProfile(args.profile, replaceable);

  const { settings, token } = await acceptedSettings(args, context, { questions, interrupted, replaceable });
  const proposed = profileNameFor(settings.baseUrl);
  const taken = args.force ? [] : names;
  const name = args.profile ?? (questions ? await askProfileName(proposed, taken, questions) : proposed);
  if (interrupted.aborted) throw new RunStopped('interrupted', 'Interrupted.');

  // Another process may have added it since the names were read, and nobody has agreed to replace that one.
  if (!args.force && !names.includes(name) && profileNames().includes(name)) throw existsAlready(name);
  const { writeProfile } = await import('../init/write-profile.ts');
  const { wasOpen } = await writeProfile(name, {
    'base-url': settings.baseUrl,
    'client-id': settings.clientId,
    'client-secret': settings.clientSecret,
    ...(settings.storeId === undefined ? {} : { 'store-id': settings.storeId }),
  });
  if (isKeptByGit('', CONFIG_FILE))
    warn(
      context,
      `${CONFIG_FILE} holds the client secret, and git does not ignore it. Run: echo ${CONFIG_FILE} >> .gitignore`,
    );
  if (context.json)
    context.terminal.out(
      JSON.stringify({
        profile: name,
        file: CONFIG_FILE,
        base_url: settings.baseUrl,
        token: token ? 'obtained' : 'not-checked',
        expires_at: token?.validUntil ?? null,
        store_id: settings.storeId ?? token?.storeId ?? null,
        exit_code: 0,
      }),
    );
  else {
    const checked = token
      ? tokenLines(token)
      : [
          `The credentials were not checked. To check them: ${printedCommand('auth check', [], { profile: name })}`,
        ];
    context.terminal.out(
      [...(token && questions ? [] : checked), ...resultLines(name, wasOpen)].join('\n'),
      paintCommands,
    );
  }
  return 0;
}

interface Replaceable {
  readonly names: readonly string[];
  readonly force: boolean;
  readonly questions: Questions | undefined;
}

/** Throws ConfigError for a name that cannot be used, or whose profile must not be replaced. */
async function refuseProfile(name: string, { names, force, questions }: Replaceable): Promise<void> {
  if (names.includes(name)) {
    if (force || (questions && (await mayReplace(name, questions)))) return;
    throw existsAlready(name);
  }
  if (!isProfileName(name))
    throw new ConfigError(`A profile cannot be called "${shownWord(name)}".`, [PROFILE_NAMES]);
}

function existsAlready(name: string): ConfigError {
  return new ConfigError(`${CONFIG_FILE} already has a profile "${shownWord(name)}". Nothing was written.`, [
    'Name another one, or replace its address and credentials with --force.',
    ...againHint({ force: true }),
  ]);
}

interface Accepted {
  readonly settings: StoreSettings;
  /** Undefined if nothing was checked. */
  readonly token: ObtainedToken | undefined;
}

/** Returns settings that the store has accepted. With a person, asks again until it does. */
async function acceptedSettings(
  args: InitArguments,
  context: CommandContext,
  {
    questions,
    interrupted,
    replaceable,
  }: { questions: Questions | undefined; interrupted: AbortSignal; replaceable: Replaceable },
): Promise<Accepted> {
  // A profile of the environment is another store.
  const environment = { ...context.environment, [variableOf('profile')]: undefined };
  const { baseUrl, clientId, storeId } = args;
  let given: GivenSettings = await givenSettings({ baseUrl, clientId, storeId }, environment);
  for (let again = false; ; again = true) {
    if (questions) given = await askSettings(given, { again }, questions);
    else refuseMissing(given);
    try {
      const settings = await checkedSettings(given, context.terminal);
      if (!questions && args.profile === undefined)
        await refuseProfile(profileNameFor(settings.baseUrl), replaceable);
      const token = await tokenFor(settings, args, context, interrupted);
      if (token) questions?.say(tokenLines(token).join('\n'));
      return { settings, token };
    } catch (error) {
      if (!questions || !isForAsking(error)) throw error;
      questions.say([`Error: ${error.message}`, ...error.hints.map((hint) => `  ${hint}`)].join('\n'));
      questions.say('\nCorrect the settings; Enter keeps one. Ctrl-C stops, and nothing is written.');
    }
  }
}

function isForAsking(error: unknown): error is ConfigError | RunStopped {
  return error instanceof ConfigError || (error instanceof RunStopped && error.reason !== 'interrupted');
}

/** Throws ConfigError with all settings that are missing, since a script should not find them one by one. */
function refuseMissing({ setting, secret }: GivenSettings): void {
  const missing = [
    ...(['base-url', 'client-id'] as const)
      .filter((option) => !setting(option))
      .map((option) => `--${option}`),
    ...(secret ? [] : ['STOREPORT_CLIENT_SECRET']),
  ];
  if (missing.length === 0) return;
  throw new ConfigError(
    `There is no terminal to ask on, and ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not set.`,
    [
      'Give the options, and the secret in the environment.',
      `Or answer questions, on a terminal: ${printedCommand('init')}`,
    ],
  );
}

async function tokenFor(
  settings: StoreSettings,
  { check, home, timeout }: InitArguments,
  context: CommandContext,
  interrupted: AbortSignal,
): Promise<ObtainedToken | undefined> {
  if (!check) return undefined;
  const args: ConnectArguments = { home, timeout, sandbox: false, concurrency: 1, giveUpAfter: '1m' };
  return obtainToken(await connectTo(settings, args, context), interrupted);
}

function questionsFor(
  terminal: CommandContext['terminal'],
  { text, secret }: TerminalQuestions,
  interrupted: AbortSignal,
): Questions {
  return {
    text: (question) => text(question, interrupted),
    secret: (question) => secret(question, interrupted),
    say: (message) => terminal.error(message),
  };
}

function resultLines(name: string, wasOpen: boolean): string[] {
  const written = wasOpen
    ? `Wrote the profile ${name} to ${CONFIG_FILE}. Others could read this file; now only you can.`
    : `Wrote the profile ${name} to ${CONFIG_FILE}, which only you can read.`;
  return [
    written,
    '',
    'Next',
    ...stepLines([...fileSteps(), [exportReviews({ profile: name }), 'the reviews of the store']]),
    '',
    `To leave --profile out: export STOREPORT_PROFILE=${name}`,
  ];
}
