import { closeSync, fsyncSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSync, resolve } from '../../model/files/fs.ts';
import { makeHome } from '../../model/index.ts';

/** Makes the folder of `--home` and those above it that are missing. Those that were made outlast a power cut. */
export function makeFolder(folder: string): void {
  const made = makeHome(folder);
  if (made === undefined) return;
  const highest = dirname(resolve(made));
  for (let at = dirname(resolve(folder)); at.length >= highest.length; at = dirname(at)) {
    syncFolder(at);
    if (at === highest) return;
  }
}

/** Syncs a folder: a new file survives a power cut only after that. */
export function syncFolder(folder: string): void {
  // Windows has no such thing as syncing a folder.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
