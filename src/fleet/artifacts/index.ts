/** Files of tasks: published to a folder or an S3-compatible store under the lease, and input files that are fetched. */

export { fetchSource } from './fetch/fetch-source.ts';
export { realPathWithin } from './fetch/within.ts';
export { TransferError } from './http/file-client.ts';
export { checkArtifactName } from './keys.ts';
export { readLocation } from './location.ts';
export { listArtifacts, type UploadedFile, writeArtifacts } from './manifest.ts';
export { openArtifact } from './open-artifact.ts';
export { openArtifacts } from './open-artifacts.ts';
export { filesToPublish, publish, uploadFiles } from './publish.ts';
export { sweepOrphans } from './sweep.ts';
export type * from './types.ts';
