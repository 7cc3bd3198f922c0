import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreLog } from '../../store/index.ts';
import type { WorkerLog } from '../worker/options.ts';
import type { TaskFolders } from './options.ts';

export async function makeTaskFolders(root: string): Promise<TaskFolders> {
  const folders = { sources: join(root, 'sources'), home: join(root, 'home'), out: join(root, 'out') };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  return folders;
}

/** Lines of a store's client, with the task that they belong to. */
export function storeLogOf(
  log: WorkerLog,
  about: { readonly task: string; readonly store: string },
): StoreLog {
  return {
    debug() {},
    info: (fields, message) => log.info({ ...about, ...fields }, message),
    warn: (fields, message) => log.warn({ ...about, ...fields }, message),
  };
}
