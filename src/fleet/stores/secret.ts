import { readFileSync } from 'node:fs';
import { ConfigError } from '../../model/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Blanks at the ends of pasted text, and invisible marks that editors add. */
const AT_ENDS = /^[\s\u200b\ufeff]+|[\s\u200b\ufeff]+$/g;

/** Control and invisible characters are never part of a secret. */
const UNSEEN_INSIDE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/u;

/** Returns the secret that a reference names on this machine. Throws ConfigError, without the secret, if there is none. */
export function resolveSecret(reference: string, environment: Environment): string {
  const secret = secretText(reference, environment).replaceAll(AT_ENDS, '');
  if (secret === '') throw new ConfigError(`The secret ${reference} of the store is empty on this worker.`);
  if (UNSEEN_INSIDE.test(secret))
    throw new ConfigError(
      `The secret ${reference} of the store has a line break or an invisible character in it.`,
    );
  return secret;
}

function secretText(reference: string, environment: Environment): string {
  const name = reference.slice(reference.indexOf(':') + 1);
  if (reference.startsWith('env:')) {
    const value = environment[name];
    if (value === undefined)
      throw new ConfigError(
        `The secret of the store is in the variable ${name}, which this worker does not have.`,
      );
    return value;
  }
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `The secret of the store is in the file ${name}, which this worker cannot read (${code}).`,
    );
  }
}
