import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { RunStopped } from '../../model/index.ts';
import type { Sql } from '../../postgres/sql.ts';
import { TransferError } from './http-client.ts';
import { checkArtifactName, createKeyPrefix } from './keys.ts';
import { type UploadedFile, writeManifest } from './manifest.ts';
import type { ArtifactFile, PublishedArtifact, PublishOptions } from './types.ts';

/**
 * Uploads files of a task, then writes the manifest in a fenced transaction. Until then no reader sees any of them.
 * Undefined: the lease is lost, and nothing was published. What was uploaded is left for a sweep.
 *
 * Rejects with RunStopped (`output-failed`) if a file cannot be uploaded, and with the reason of `signal` if it is aborted.
 */
export async function publish(sql: Sql, options: PublishOptions): Promise<PublishedArtifact[] | undefined> {
  const uploaded = await uploadFiles(options);
  try {
    return await sql.transaction(async (transaction) => {
      const lines = await writeManifest(transaction, options, uploaded);
      if (lines === undefined) throw ROLL_BACK;
      return lines;
    });
  } catch (error) {
    if (error === ROLL_BACK) return undefined;
    throw error;
  }
}

const ROLL_BACK = new Error('The lease is lost.');

/** Uploads files under keys that no other publication uses. */
export async function uploadFiles({
  storage,
  lease,
  task,
  files,
  signal,
}: Omit<PublishOptions, 'removesOthers'>): Promise<UploadedFile[]> {
  const prefix = createKeyPrefix(lease, task);
  const uploaded: UploadedFile[] = [];
  for (const { name } of files) checkArtifactName(name);
  for (const { name, path } of files) {
    try {
      const { size: bytes } = await stat(path);
      const written = await storage.put(`${prefix}${name}`, createReadStream(path), { bytes, signal });
      uploaded.push({ name, ...written });
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TransferError)) throw error;
      throw new RunStopped('output-failed', `${name} could not be published: ${error.message}`);
    }
  }
  return uploaded;
}

/** Lists the files in a folder and below it, each named by its path in the folder. Temporary files are left out. */
export async function filesToPublish(folder: string): Promise<ArtifactFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: relative(folder, path).split(sep).join('/'), path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
