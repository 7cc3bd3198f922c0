import { randomBytes } from 'node:crypto';
import { ConfigError } from '../../model/index.ts';
import type { LeaseId } from '../../postgres/index.ts';
import type { ArtifactTask } from './types.ts';

/** Limit of object stores, in bytes of UTF-8; the prefix of the storage and the parts before the name need some of it. */
const LONGEST_NAME = 600;

/** Throws ConfigError for names that could lead out of a folder, also of one who fetches them, or that some storages change. */
export function checkArtifactName(name: string): void {
  const isSafe =
    name !== '' &&
    Buffer.byteLength(name) <= LONGEST_NAME &&
    // Control characters, backslashes, and halves of surrogate pairs.
    !/[\p{Cc}\p{Cs}\\]/u.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isSafe)
    throw new ConfigError(`A file of a task cannot have the name ${JSON.stringify(name)}.`, [
      'It could lead out of its folder, or is changed by some storages.',
    ]);
}

/**
 * Creates the common beginning of the keys of one publication: `<store>/<task>/<epoch>-<random>/`. No two publications
 * share it, so an object never changes.
 */
export function createKeyPrefix({ store, epoch }: LeaseId, task: ArtifactTask): string {
  return `${store}/${encodeURIComponent(task.id)}/${epoch}-${randomBytes(4).toString('hex')}/`;
}

export interface KeyParts {
  readonly store: number;
  readonly task: string;
  readonly epoch: number;
}

/** Reads a key. Undefined for an object that is not ours. */
export function readKey(key: string): KeyParts | undefined {
  const [, store, task = '', epoch] = /^(\d{1,9})\/([^/]+)\/(\d{1,15})-[0-9a-f]{8}\/./s.exec(key) ?? [];
  if (store === undefined || epoch === undefined) return undefined;
  try {
    return { store: Number(store), task: decodeURIComponent(task), epoch: Number(epoch) };
  } catch {
    // A % that encodes nothing: we never write one.
    return undefined;
  }
}
