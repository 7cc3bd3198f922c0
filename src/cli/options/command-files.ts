import { join } from 'node:path';
import { existsSync } from '../../model/files/fs.ts';
import { LEDGER_FILE, ownFilesIn, readSmallFile } from '../../model/index.ts';
import { CONFIG_FILE } from '../../options/index.ts';
import type { CommandFiles } from '../../pipeline/index.ts';
import { type NamedFile, refuseOverwriting } from '../../write/index.ts';
import { ENV_FILE } from './origins.ts';

/** Arguments that name input files. */
interface NamingArguments {
  readonly files?: readonly string[];
  readonly file?: string;
  readonly from?: string;
  readonly plan?: string;
  readonly mapping?: string;
  readonly logFile?: string | undefined;
  readonly metrics?: string | undefined;
  readonly home: string;
}

/**
 * Returns the files of a command that no output may overwrite. The log and the metrics are checked against them at once,
 * since they are written before any other file is opened. Throws ConfigError if one of them would overwrite one.
 */
export async function commandFilesOf(args: NamingArguments): Promise<CommandFiles> {
  const { files = [], file, from, plan, mapping, logFile, metrics, home } = args;
  const ledger = join(home, LEDGER_FILE);
  const sources = [...files, ...(file === undefined ? [] : [file])];
  const settings = [
    ...(mapping !== undefined ? [{ path: mapping, says: `the mapping ${mapping}` }] : []),
    ...[from, plan, ENV_FILE, CONFIG_FILE].flatMap((path) =>
      path === undefined ? [] : [{ path, says: path }],
    ),
  ];
  const read = [
    ...sources.map((path) => ({ path, says: path === '-' ? 'standard input' : `the source ${path}` })),
    ...settings.filter(({ path }) => existsSync(path)),
    ...ownFilesIn(home).map((path) => ({
      path,
      says: path === ledger ? `the ledger ${path}` : `${path}, which storeport keeps`,
    })),
  ];
  const written = Object.entries({ 'log-file': logFile, metrics }).flatMap(([option, path]) =>
    path === undefined ? [] : [{ path, says: `--${option} ${path}` }],
  );
  if (written.length > 0) refuseOverwriting(written, [...read, ...(await lookupFiles(mapping))], home);
  return { written, read, home };
}

/** Returns the lookup files of the mapping. Empty for an invalid mapping, since the command fails when it reads it. */
async function lookupFiles(mapping: string | undefined): Promise<NamedFile[]> {
  if (mapping === undefined || !existsSync(mapping)) return [];
  const { parseMapping } = await import('../../map/index.ts');
  const { filesRead } = await import('../../pipeline/index.ts');
  try {
    const text = readSmallFile(mapping, `The mapping file ${mapping}`);
    return filesRead({ files: [], mapping }, parseMapping(mapping, text).lookups);
  } catch {
    return [];
  }
}
