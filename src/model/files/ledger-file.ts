import { dirname, join } from 'node:path';
import { ConfigError, RunStopped } from '../errors.ts';

/** File name of the ledger in the folder of `--home`. */
export const LEDGER_FILE = 'ledger.db';

/**
 * Returns the error for a ledger file that differs from what was last written. Nothing may be sent on the basis of the
 * other files.
 */
export function damagedLedger(file: string, what: string): ConfigError {
  return new ConfigError(
    `The ledger is damaged: ${file} ${what}.`,
    [
      'Nothing was sent, and no file was changed. The ledger may no longer know what the store has accepted: sending it again could create it twice.',
      ...curesFor(dirname(file)),
    ],
    'ledger-damaged',
  );
}

/** Converts an SQLite error about a damaged page to the same error. Returns undefined for any other error. */
export function asDamage(error: unknown, home: string): RunStopped | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== 'string' || !(code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'))
    return undefined;
  return new RunStopped(
    'ledger-failed',
    `The ledger is damaged: ${join(home, LEDGER_FILE)} cannot be read (${message}).`,
    curesFor(home),
  );
}

function curesFor(home: string): string[] {
  return [
    `Restore the whole folder ${home} from a backup, with all files of the same moment.`,
    'Without a backup, name a new folder with --home, and first record there what the store has, from keys and identifiers of the store or of results.csv of earlier runs. How: storeport run adopt --help',
  ];
}
