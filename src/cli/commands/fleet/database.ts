import { ConfigError } from '../../../model/index.ts';
import { DATABASE_ADDRESS, type OptionTable, STORE_OPTIONS, variableOf } from '../../../options/index.ts';
import { type CommandContext, warn } from '../../context.ts';
import { databaseSecrets, hasPassword, withPassword } from '../../options/database-address.ts';
import {
  ENV_FILE,
  fromProfile,
  fromVariable,
  originOfVariable,
  type Setting,
} from '../../options/origins.ts';
import { profileOf } from '../../options/settings.ts';
import { isReadableByOthers } from '../../options/settings-file.ts';

/** Options of all commands of a fleet. */
export const DATABASE_OPTIONS = {
  database: {
    topic: 'fleet',
    syntax: DATABASE_ADDRESS,
    describe: 'Postgres database of the fleet: postgres://user@host/name',
    emptyIsNone: true,
    isSecret: true,
  },
  'database-schema': {
    topic: 'fleet',
    describe: 'Schema of its tables (default: the one that the database gives the user)',
    emptyIsNone: true,
  },
  profile: STORE_OPTIONS.profile,
} as const satisfies OptionTable;

export interface DatabaseArguments {
  readonly database?: string | undefined;
  readonly databaseSchema?: string | undefined;
  readonly profile?: string | undefined;
}

/**
 * The address of the database, from the command line, else the profile, else the environment. Hides its password in all
 * output. Throws ConfigError if it is not set, or would get a password that is meant for another server.
 */
export async function databaseAddress(args: DatabaseArguments, context: CommandContext): Promise<string> {
  const { terminal, environment } = context;
  const setting = await databaseSetting(args, environment);
  if (setting === undefined)
    throw new ConfigError('Which database? The Postgres database of the fleet is not set.', [
      `Set ${variableOf('database')} to postgres://user@host:5432/name, or give it with --database.`,
      'Or write it as database in a profile of storeport.config.yaml.',
    ]);
  terminal.hide(...databaseSecrets(setting.value));
  const address = DATABASE_ADDRESS.read(setting.value);
  if (typeof address !== 'string')
    throw new ConfigError(`The database in ${setting.place} is not ${DATABASE_ADDRESS.words}.`, [
      'Write characters such as # and / in its password as %23 and %2F.',
    ]);
  if (!hasPassword(address)) refuseForeignPassword(setting, environment);
  else if (setting.origin === 'command line')
    warn(
      context,
      `Other users of this machine can see the password in --database. Set ${variableOf('database')} instead.`,
    );
  else if (setting.origin === ENV_FILE && isReadableByOthers(ENV_FILE))
    warn(
      context,
      `${ENV_FILE} holds the password of the database, and others on this machine can read it. Run: chmod 600 ${ENV_FILE}`,
    );
  return withOwnPassword(address, context);
}

/** Adds the password of PGPASSWORD to an address without one: the driver reads only the variables of the process. */
function withOwnPassword(address: string, { io, terminal }: CommandContext): string {
  const { PGPASSWORD: password } = io.env;
  if (!password || hasPassword(address)) return address;
  const whole = withPassword(address, password);
  terminal.hide(...databaseSecrets(whole));
  return whole;
}

async function databaseSetting(
  { database, profile: given }: DatabaseArguments,
  environment: CommandContext['environment'],
): Promise<Setting | undefined> {
  if (database !== undefined) return { value: database, origin: 'command line', place: '--database' };
  const name = profileOf({ profile: given }, environment);
  if (name !== undefined) {
    const { readProfile } = await import('../../options/config.ts');
    const { database: own } = readProfile(name);
    const isChosenByFile =
      given === undefined && originOfVariable(variableOf('profile'), environment) === ENV_FILE;
    if (own !== undefined) return fromProfile(name, own, isChosenByFile);
  }
  const variable = variableOf('database');
  const value = environment[variable]?.trim();
  return value ? fromVariable(variable, value, environment) : undefined;
}

/** Throws ConfigError if a file of this folder names the server that would get the password of the environment. */
function refuseForeignPassword({ origin, place }: Setting, environment: CommandContext['environment']): void {
  const { PGPASSWORD: password } = environment;
  const isOfFolder = origin === ENV_FILE || origin === 'profile chosen by .env';
  if (!isOfFolder || !password || originOfVariable('PGPASSWORD', environment) === ENV_FILE) return;
  throw new ConfigError(
    `The database comes from ${place}, and the password from PGPASSWORD in the environment. ` +
      'It was not sent: whoever writes files in this folder could have it sent anywhere.',
    [`Set ${variableOf('database')} in the environment, or give --database.`],
  );
}
