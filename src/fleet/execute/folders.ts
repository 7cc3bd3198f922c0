import { join } from 'node:path';
import { mkdir, readdir, rm } from '../../model/files/fs.ts';
import type { Sql } from '../../postgres/index.ts';
import type { StoreLog } from '../../store/index.ts';
import type { WorkerLog } from '../worker/options.ts';
import type { TaskFolders } from './options.ts';

/** Names the folder of an execution: no other one has the same task and epoch. */
export function executionFolder(scratch: string, task: string, epoch: number): string {
  return join(scratch, `${task}-${epoch}`);
}

/** Removes folders of executions that were killed on this machine: nobody holds the lease under which they ran. */
export async function removeLeftFolders(sql: Sql, scratch: string): Promise<void> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const found = (await readdir(scratch)).flatMap((name) => {
    const [, task] = /^(.+)-\d+$/.exec(name) ?? [];
    return task === undefined ? [] : [{ name, task }];
  });
  if (found.length === 0) return;
  // Read after the folders: an execution has its lease before it makes its folder.
  const held = await sql.query<{ name: string }>(
    `select task.id || '-' || lease.epoch as name from task join lease on lease.store = task.store
     where task.id = any ($1::text[]) and holder is not null and expires > clock_timestamp()`,
    [found.map(({ task }) => task)],
  );
  const inUse = new Set(held.map(({ name }) => name));
  for (const { name } of found)
    if (!inUse.has(name)) await rm(join(scratch, name), { recursive: true, force: true });
}

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
