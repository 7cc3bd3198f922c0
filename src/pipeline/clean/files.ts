import { dirname, join } from 'node:path';
import { rmdir, statSync } from '../../model/files/fs.ts';
import { ConfigError, makePrivateFolder, RunStopped } from '../../model/index.ts';
import {
  type AtomicFile,
  destinationOf,
  formatOfName,
  openTableText,
  openTwoForms,
  type Sink,
  type TwoForms,
} from '../../write/index.ts';
import type { CleanTexts, Rejected, RejectsText } from '../cleaning/clean-texts.ts';
import { reportsFolder } from '../run/own-files.ts';
import type { CleanOptions } from './options.ts';

/** The files that a clean-up writes. Both are whole or absent, apart from what standard output got already. */
export interface CleanFiles {
  /** Takes the texts of one batch. */
  write(clean: string, rejects: Rejected): Promise<void>;
  /** `page`: sealed before, and renamed last. */
  commit(page?: AtomicFile): Promise<void>;
  abort(): Promise<void>;
  /** Name of the file of rejects; undefined if it is needed only for rejects and there are none. */
  rejects(): string | undefined;
}

/** Forms of the files by their names. Throws ConfigError for a name whose format is not written. */
export function cleanForms({ out, rejects, format: asked, csv }: CleanOptions) {
  const { format, ...form } = formatOfName({ name: out, option: '--out', asked, formatOption: '--to' });
  const { format: ofRejects, ...rejectsForm } = formatOfName({ name: rejects, option: '--rejects' });
  if (ofRejects !== 'csv')
    throw new ConfigError(`--rejects ${rejects}: rejected rows are written as CSV.`, [
      'Choose a name that ends in .csv.',
    ]);
  return { format, csv: { ...form, ...csv }, rejectsCsv: { ...rejectsForm, ...csv } };
}

/**
 * Opens the files that are written, so that nothing is read in vain. Rejects without a name get a file in a folder of
 * their own, which appears with the first of them.
 */
export async function openCleanFiles(
  options: CleanOptions,
  run: string,
  texts: CleanTexts,
): Promise<CleanFiles> {
  const own = options.rejects === undefined ? join(reportsFolder(run), 'rejects.csv') : undefined;
  let rejects: TwoForms<Sink> | undefined;
  let areKept = false;
  async function keepRejects(): Promise<void> {
    if (!areKept) await rejects?.commit();
    areKept = true;
  }
  // The clean file is sealed by then, so a full disk leaves both files as they were.
  const table = await openTableText(destinationOf(options), texts.clean, { beforeRename: keepRejects });
  async function abort(): Promise<void> {
    await rejects?.abort();
    // Fails if there is more in them, or if there are no such folders.
    if (own !== undefined)
      for (const folder of [dirname(own), dirname(dirname(own))]) await rmdir(folder).catch(() => {});
    await table.abort();
  }
  try {
    if (options.rejects !== undefined) rejects = await openRejects(options.rejects, texts.rejects);
  } catch (error) {
    await abort();
    throw error;
  }
  return {
    async write(clean, rejected) {
      await table.write(clean);
      if (own !== undefined && rejected.long !== '') rejects ??= await openOwn(own, texts.rejects);
      if (rejects && rejected.long !== '') await writeRejected(rejects, rejected);
    },
    async commit(page) {
      try {
        await table.commit();
        await keepRejects();
        await page?.commit();
      } finally {
        await page?.abort();
      }
    },
    abort,
    rejects: () => options.rejects ?? (rejects && own),
  };
}

/** Opens the file of rejects while the clean file is written already. Throws RunStopped. */
async function openOwn(file: string, text: RejectsText): Promise<TwoForms<Sink>> {
  try {
    makePrivateFolder(dirname(file));
    return await openRejects(file, text);
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    throw new RunStopped('output-failed', `Rejected rows cannot be kept: ${reason}.`, [
      'Name another file with --rejects, then run the command again.',
    ]);
  }
}

/** A device or a pipe takes one form only, and nobody knows yet which rows there are. */
function openRejects(file: string, { long, short }: RejectsText): Promise<TwoForms<Sink>> {
  const isRegular = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  return openTwoForms(
    () => openTableText(file, long),
    isRegular ? () => openTableText(file, short) : undefined,
  );
}

async function writeRejected(rejects: TwoForms<Sink>, { long, short }: Rejected): Promise<void> {
  if (short === undefined) await rejects.needLong();
  await rejects.long.write(long);
  if (short !== undefined) await rejects.short()?.write(short);
}
