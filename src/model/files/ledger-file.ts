import { dirname, join } from 'node:path';
import { ConfigError, RunStopped } from '../errors.ts';

/** The ledger's name in the folder of `--home`. */
export const LEDGER_FILE = 'ledger.db';

/** The error for a file of the ledger that is not what was written last: nothing may be sent by what the other files say. */
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

/** The same for an error of SQLite, which met a damaged page while it read. Undefined for any other error. */
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
    'Without a backup, name a new folder with --home, and first tell it what the store has: look in the store, or in results.csv of earlier runs, and give keys and identifiers to storeport run adopt.',
  ];
}
