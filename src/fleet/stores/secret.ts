import { readFileSync } from '../../model/files/fs.ts';
import { ConfigError } from '../../model/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Blanks at the ends of pasted text, and invisible marks that editors add. */
const AT_ENDS = /^[\s\u200b\ufeff]+|[\s\u200b\ufeff]+$/g;

/** Control and invisible characters are never part of a secret. */
const UNSEEN_INSIDE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/u;

/** The process that reads secrets, for messages: they are shown elsewhere, when the process may be gone. */
export interface SecretReader {
  /** Such as `the worker db7-4711-a1b2c3`. */
  readonly name: string;
  /** The next steps if it cannot read a secret: sentences. */
  readonly toDo: string;
}

/** Returns the secret that a reference names on this machine. Throws ConfigError, without the secret, if there is none. */
export function resolveSecret(reference: string, environment: Environment, reader: SecretReader): string {
  const { name, toDo } = reader;
  const secret = secretText(reference, environment, reader).replaceAll(AT_ENDS, '');
  if (secret === '')
    throw new ConfigError(`The secret ${reference} of the store, as ${name} has it, is empty.`, [toDo]);
  if (UNSEEN_INSIDE.test(secret))
    throw new ConfigError(
      `The secret ${reference} of the store, as ${name} has it, has a line break or an invisible character in it.`,
      [toDo],
    );
  return secret;
}

function secretText(
  reference: string,
  environment: Environment,
  { name: reader, toDo }: SecretReader,
): string {
  const name = reference.slice(reference.indexOf(':') + 1);
  if (reference.startsWith('env:')) {
    const value = environment[name];
    if (value === undefined)
      throw new ConfigError(
        `The secret of the store is in the variable ${name}, which ${reader} does not have.`,
        [toDo],
      );
    return value;
  }
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `The secret of the store is in the file ${name}, which ${reader} cannot read (${code}).`,
      [toDo],
    );
  }
}
