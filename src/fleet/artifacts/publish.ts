import { join, sep } from 'node:path';
import { createReadStream, readdir, relative, stat } from '../../model/files/fs.ts';
import { ConfigError, RunStopped } from '../../model/index.ts';
import { fenced, type Sql } from '../../postgres/index.ts';
import { TransferError } from './http/file-client.ts';
import { checkArtifactName, createKeyPrefix } from './keys.ts';
import { type UploadedFile, writeArtifacts } from './manifest.ts';
import type { ArtifactFile, PublishedArtifact, PublishOptions } from './types.ts';

/**
 * Uploads files of a task, then writes the manifest in a fenced transaction. Until then no reader sees any of them.
 *
 * Rejects with RunStopped: `lease-lost` if nothing could be published, in which case a sweep removes what was uploaded;
 * `output-failed` if a file cannot be uploaded. Rejects with the reason of `signal` if it is aborted.
 */
export async function publish(sql: Sql, options: PublishOptions): Promise<PublishedArtifact[]> {
  const uploaded = await uploadFiles(options);
  return fenced(sql, options.lease, (transaction) => writeArtifacts(transaction, options, uploaded));
}

/** Uploads files under keys that no other publication uses. Rejects as `publish` does, except for the manifest. */
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
      const written = await storage.put(`${prefix}${name}`, bytesOf(path), { bytes, signal });
      uploaded.push({ name, ...written });
    } catch (error) {
      signal?.throwIfAborted();
      throw publishFailure(name, error);
    }
  }
  return uploaded;
}

/** Opens the file when its first bytes are asked for: until then, nobody would hear of an error, or close it. */
async function* bytesOf(path: string): AsyncGenerator<Buffer, void, undefined> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/** A storage that cannot be used for now stops the task, and a bug stays one. */
function publishFailure(name: string, error: unknown): unknown {
  const isTrouble =
    error instanceof TransferError ||
    error instanceof ConfigError ||
    error instanceof RunStopped ||
    (error as NodeJS.ErrnoException).syscall !== undefined;
  if (!isTrouble) return error;
  const message = (error as Error).message.replace(/\.?$/, '.');
  return new RunStopped('output-failed', `${name} could not be published: ${message}`);
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
