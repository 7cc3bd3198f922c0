import { ConfigError } from '../../model/index.ts';
import { sql as runsAndRecords } from './000001.ts';
import { sql as intentsByCommit } from './000002.ts';
import { sql as writeAheadLog } from './000003.ts';
import { sql as goingOn } from './000004.ts';
import { sql as identity } from './000005.ts';
import { sql as afterwards } from './000006.ts';
import { sql as identified } from './000007.ts';
import { sql as files } from './000008.ts';
import { sql as kindsOfIssues } from './000009.ts';
import { sql as trash } from './000010.ts';
import { sql as logFormat } from './000011.ts';

/** In order; append only. Opening a ledger applies those that it does not have yet. */
export const MIGRATIONS: readonly string[] = [
  runsAndRecords,
  intentsByCommit,
  writeAheadLog,
  goingOn,
  identity,
  afterwards,
  identified,
  files,
  kindsOfIssues,
  trash,
  logFormat,
];

/** The first format whose database has its checksums beside it. */
export const FIRST_FORMAT_WITH_SUMS = 11;

/** The error for a ledger in a format that this version does not know. */
export function tooNew(file: string, format: number): ConfigError {
  return new ConfigError(
    `The ledger ${file} was written by a newer storeport (its format ${format}, ours ${MIGRATIONS.length}).`,
    ['Update storeport, or choose another folder with --home.'],
  );
}
