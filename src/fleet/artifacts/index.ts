/** Files of tasks: published to a folder or an S3-compatible store under the lease, and input files that are fetched. */

import type { Sql } from '../../postgres/sql.ts';
import type {
  ArtifactFile,
  ArtifactStorage,
  FetchedFile,
  FetchOptions,
  ObjectStoreOptions,
  OpenedArtifact,
  PublishedArtifact,
  PublishOptions,
  SweepOptions,
  SweepResult,
  WrittenObject,
} from './types.ts';

export type * from './types.ts';

/** Opens a folder (by its path) or `s3://bucket/prefix`. Throws ConfigError if it cannot be used. */
export declare function openArtifacts(
  location: string,
  options: ObjectStoreOptions,
): Promise<ArtifactStorage>;

/** Lists the files in a folder and below it, each named by its path in the folder. */
export declare function filesToPublish(folder: string): Promise<ArtifactFile[]>;

/** Uploads files, then writes the manifest in a fenced transaction. Undefined: the lease is lost, nothing was published. */
export declare function publish(sql: Sql, options: PublishOptions): Promise<PublishedArtifact[] | undefined>;

/** Does the first half of `publish`. */
export declare function uploadFiles(
  options: Omit<PublishOptions, 'removesOthers'>,
): Promise<(WrittenObject & { readonly name: string })[]>;

/** Does the second half of `publish`, in a transaction of the caller. Undefined: the lease is lost; roll back. */
export declare function writeManifest(
  transaction: Sql,
  options: Pick<PublishOptions, 'lease' | 'task' | 'removesOthers'>,
  files: readonly (WrittenObject & { readonly name: string })[],
): Promise<PublishedArtifact[] | undefined>;

/** Lists what a task has published, by name. */
export declare function listArtifacts(sql: Sql, task: number): Promise<PublishedArtifact[]>;

/** Opens a published file by the manifest. Undefined: the task has published no such file. */
export declare function openArtifact(
  sql: Sql,
  storage: ArtifactStorage,
  file: { readonly task: number; readonly name: string; readonly signal?: AbortSignal | undefined },
): Promise<OpenedArtifact | undefined>;

/** Removes old objects that no manifest names and none can name any more. */
export declare function sweepOrphans(sql: Sql, options: SweepOptions): Promise<SweepResult>;

/** Brings an input file to this machine: a path, `s3://bucket/key`, or `https://…`. */
export declare function fetchSource(location: string, options: FetchOptions): Promise<FetchedFile>;

/** Returns a location as it may be shown: without credentials and query. */
export declare function shownLocation(location: string): string;
