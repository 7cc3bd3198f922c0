import { closeSync, fsyncSync } from 'node:fs';
import { openSync, readFileSync } from '../../model/files/fs.ts';

/** Opens a file for reading; undefined if it does not exist. */
export function openIfThere(file: string): number | undefined {
  return ifThere(() => openSync(file, 'r'));
}

/** The bytes of a file; undefined if it does not exist. */
export function readIfThere(file: string): Buffer | undefined {
  return ifThere(() => readFileSync(file));
}

function ifThere<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Calls `work` with the open file, or with undefined if it does not exist, and closes it. */
export function withFile<Result>(file: string, work: (descriptor: number | undefined) => Result): Result {
  const descriptor = openIfThere(file);
  try {
    return work(descriptor);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Syncs a file to disk, so that its content survives a power cut. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
