import { ConfigError } from '../../model/index.ts';
import runsAndRecords from './000001.ts';
import intentsByCommit from './000002.ts';
import writeAheadLog from './000003.ts';
import goingOn from './000004.ts';
import identity from './000005.ts';
import afterwards from './000006.ts';
import identified from './000007.ts';
import files from './000008.ts';
import kindsOfIssues from './000009.ts';
import trash from './000010.ts';
import logFormat from './000011.ts';
import activity from './000012.ts';
import secondLog from './000013.ts';
import logLines from './000014.ts';
import pruned from './000015.ts';
import base from './000016.ts';

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
  activity,
  secondLog,
  logLines,
  pruned,
  base,
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
