import { ConfigError } from '../../model/index.ts';
import { openFolderStorage } from './folder-storage.ts';
import { readLocation } from './location.ts';
import { openBucketStorage } from './s3/bucket-storage.ts';
import type { ArtifactStorage, ObjectStoreOptions } from './types.ts';

/** Opens a folder (by its path) or `s3://bucket/prefix`. Throws ConfigError if it cannot be used. */
export async function openArtifacts(location: string, options: ObjectStoreOptions): Promise<ArtifactStorage> {
  const place = readLocation(location);
  if (place.kind === 's3') return openBucketStorage(place, options);
  if (place.kind === 'path') return openFolderStorage(place.path);
  throw new ConfigError('Files of tasks can be kept in a folder or an object store, not at a web address.', [
    'It is an absolute path, or s3://bucket/prefix.',
  ]);
}
