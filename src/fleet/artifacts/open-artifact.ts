import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { Sql } from '../../postgres/index.ts';
import { TransferError } from './http/file-client.ts';
import { findArtifact } from './manifest.ts';
import type { ArtifactStorage, OpenedArtifact, PublishedArtifact } from './types.ts';

/** Opens a published file by the manifest. Undefined: the task has published no such file. */
export async function openArtifact(
  sql: Sql,
  storage: ArtifactStorage,
  {
    task,
    name,
    signal,
  }: { readonly task: number; readonly name: string; readonly signal?: AbortSignal | undefined },
): Promise<OpenedArtifact | undefined> {
  for (let before: string | undefined; ; ) {
    const line = await findArtifact(sql, task, name);
    if (line === undefined) return undefined;
    const content = await storage.get(line.location, signal);
    if (content !== undefined) return { ...line, content: checked(content, line, storage.name) };
    if (line.location === before)
      throw new TransferError(`${storage.name} does not have ${name} any more.`, 'MISSING', 404);
    // It may have been replaced and swept after the manifest was read.
    before = line.location;
  }
}

/** Passes bytes through, and fails at the end unless they are those of the manifest. */
function checked(content: Readable, { name, bytes, sha256 }: PublishedArtifact, storage: string): Readable {
  const hash = createHash('sha256');
  let passed = 0;
  const check = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      passed += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      const isSame = passed === bytes && hash.digest('hex') === sha256;
      done(isSame ? null : new TransferError(`${name} in ${storage} is damaged.`, 'DAMAGED', 400));
    },
  });
  // An error of either ends both.
  pipeline(content, check, () => {});
  return check;
}
