import type { Readable } from 'node:stream';
import type { LeaseId } from '../../postgres/index.ts';

/** Environment variables. Credentials of an object store are read from it and from nowhere else. */
export type ArtifactEnvironment = Readonly<Record<string, string | undefined>>;

/** Settings of an object store that replace those of the environment. */
export interface ObjectStoreOptions {
  readonly env: ArtifactEnvironment;
  /** URL of an S3-compatible server, which is then addressed by path. Default: AWS_ENDPOINT_URL, or else Amazon's. */
  readonly endpoint?: string | undefined;
  /** Default: AWS_REGION, AWS_DEFAULT_REGION, or us-east-1. */
  readonly region?: string | undefined;
  /** Size of the parts of a large object: at least 5 MiB at Amazon. Default: 8 MiB. At most two are in memory. */
  readonly partBytes?: number | undefined;
  /** Waits between two attempts, in milliseconds. Replaced in tests. */
  readonly wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds without any byte after which a request is given up. Default: 60,000. */
  readonly idleMs?: number | undefined;
}

/** An object that was written as a whole. */
export interface WrittenObject {
  readonly key: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

export interface WriteOptions {
  /** Size in bytes, if known: very large objects need larger parts. */
  readonly bytes?: number | undefined;
  /** Gives up, and leaves nothing. */
  readonly signal?: AbortSignal | undefined;
}

/** An object, or a write that was begun and never finished, as a sweep sees it. */
export interface ListedObject {
  readonly key: string;
  /** The date that the storage has for it. */
  readonly at: Date;
  /** Identifies the unfinished write. Undefined: the object is whole. */
  readonly upload?: string | undefined;
}

/** A place for the files of tasks: a folder, or a part of a bucket. Keys are relative, with `/` between their parts. */
export interface ArtifactStorage {
  /** Path or `s3://bucket/prefix`. Has no credentials, so that it can be shown. */
  readonly name: string;
  /** Writes an object that appears whole or not at all. `content` may be left unread if it rejects. */
  put(key: string, content: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<WrittenObject>;
  /** Undefined if there is no such object. The stream must be read to its end or destroyed. */
  get(key: string, signal?: AbortSignal): Promise<Readable | undefined>;
  /** Does nothing if there is no such object. */
  remove(object: Pick<ListedObject, 'key' | 'upload'>): Promise<void>;
  /** Lists all objects and unfinished writes, in no order. */
  list(): AsyncIterable<ListedObject>;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** The task that files belong to. */
export interface ArtifactTask {
  /** `task.number` */
  readonly number: number;
  /** `task.id` */
  readonly id: string;
}

/** A file to publish. */
export interface ArtifactFile {
  /** Name in the manifest: a relative path with `/`, such as `reports/failed.csv`. */
  readonly name: string;
  /** Path on this machine. */
  readonly path: string;
}

/** A line of the manifest. */
export interface PublishedArtifact {
  readonly name: string;
  /** Key in the storage. */
  readonly location: string;
  readonly epoch: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface PublishOptions {
  readonly storage: ArtifactStorage;
  readonly lease: LeaseId;
  readonly task: ArtifactTask;
  readonly files: readonly ArtifactFile[];
  /** Removes names from the manifest that are not in `files`. Default: false. */
  readonly removesOthers?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A published file that is open for reading. */
export interface OpenedArtifact extends PublishedArtifact {
  /** Fails at its end if the bytes are not those of the manifest. Must be read to its end or destroyed. */
  readonly content: Readable;
}

export interface SweepOptions {
  readonly storage: ArtifactStorage;
  /** Objects that are younger are kept, in milliseconds by the clock of Postgres. */
  readonly olderThanMs: number;
}

export interface SweepResult {
  readonly removed: number;
  readonly kept: number;
}

export interface FetchOptions extends Omit<ObjectStoreOptions, 'partBytes'> {
  /** An existing folder of the task, for files that are downloaded. */
  readonly folder: string;
  /** Larger files are refused. */
  readonly mostBytes?: number | undefined;
  /** Folders in which paths must be, by their real paths. Default: any path. */
  readonly within?: readonly string[] | undefined;
  /** True if a web address may be a private one. Default: it is refused. */
  readonly allowsPrivate?: boolean | undefined;
  /** Facts about the file of an earlier execution. A file that differs is refused with the reason `source-changed`. */
  readonly expected?:
    | { readonly bytes?: number; readonly sha256?: string; readonly etag?: string }
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An input file on this machine. */
export interface FetchedFile {
  /** The location itself if it is a path; otherwise a file in `folder`. */
  readonly path: string;
  /** The location as it may be shown: without credentials and query. */
  readonly name: string;
  readonly bytes: number;
  /** Undefined for a path, unless a digest is expected: computing it reads the whole file. */
  readonly sha256?: string | undefined;
  /** Of the server, if it sent a strong one. */
  readonly etag?: string | undefined;
}
