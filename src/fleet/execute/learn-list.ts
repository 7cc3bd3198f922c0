import { join } from 'node:path';
import { open } from '../../model/files/fs.ts';
import { exitCodeOf, packageVersion, RunStopped } from '../../model/index.ts';
import {
  type AskedStore,
  type ListedItem,
  readCalibratedList,
  runAdopt,
  type StoreTarget,
  sureRecords,
} from '../../pipeline/index.ts';
import { fenced, noteAdopted, restored, reviewOf } from '../../postgres/index.ts';
import type { Resource } from '../../resources/index.ts';
import { csvLine, pathColumn } from '../../write/index.ts';
import { canBeAsked } from '../stores/resources.ts';
import type { TaskExecution } from './options.ts';

/**
 * Asks the store's list which records are there, before an import sends any to a store about which a restored database may lack
 * some: all keys of the list are adopted. Does nothing if the database lacks none, or if the store has no list.
 */
export async function learnFromList(
  execution: TaskExecution,
  resource: Resource,
  connect: () => Promise<StoreTarget>,
): Promise<void> {
  const { sql, lease, task, log } = execution;
  if (!canBeAsked(resource)) return;
  if ((await reviewOf(sql, lease.store, resource.name)).isKnown) return;
  const target = await connect();
  await target.client.authenticate();
  const country = typeof task.options.country === 'string' ? task.options.country : undefined;
  const { pairs, known, isComplete } = await listedPairs(execution, resource, { ...target, country });
  if (pairs.count > 0) await adoptPairs(execution, resource, pairs.file);
  await fenced(sql, lease, (inside) =>
    noteAdopted(inside, { store: lease.store, resource: resource.name, isComplete }),
  );
  log.info(
    { task: task.id, store: task.store.name, adopted: pairs.count, known, isComplete },
    'the list of the store was adopted since the database was restored',
  );
}

const COLUMNS = [pathColumn('key'), pathColumn('id')];
const FORM = { raw: false };

/** Writes the keys of the list that the ledger does not know into a file. */
async function listedPairs(
  { ledger: source, folders, lease }: TaskExecution,
  resource: Resource,
  target: StoreTarget & Pick<AskedStore, 'country'>,
) {
  const about = { store: target.store, resource: resource.name };
  const ledger = await source.open();
  try {
    await ledger.lock(target.store, '');
    const { lookup } = await ledger.history(target.store, resource.name);
    const sure = await sureRecords(ledger, about);
    const file = join(folders.home, 'listed.csv');
    const out = await open(file, 'w', 0o600);
    let count = 0;
    async function write(items: readonly ListedItem[]): Promise<void> {
      const keyed = items.flatMap(({ keys: [key], id }) => (key === undefined ? [] : [{ key, id }]));
      const now = await lookup?.(keyed.map(({ key }) => key));
      const unknown = keyed.filter(({ key }) => !now?.has(key));
      count += unknown.length;
      await out.write(unknown.map((pair) => csvLine(COLUMNS, pair, FORM)).join(''));
    }
    try {
      await out.write('key,id\n');
      const found = await readCalibratedList(target, resource, sure, write).catch((error: unknown) => {
        // The store has no such list.
        if (!(error instanceof RunStopped && error.reason === 'not-the-api')) throw error;
        throw restored(error.message);
      });
      lease.lost.throwIfAborted();
      return { ...found, pairs: { file, count } };
    } finally {
      await out.close();
    }
  } finally {
    await ledger.close();
  }
}

async function adoptPairs(
  { ledger, folders, task, interrupted, log }: TaskExecution,
  resource: Resource,
  file: string,
): Promise<void> {
  const about = { task: task.id, store: task.store.name };
  const { stopped } = await runAdopt({
    ...{ ledger, resource, file, interrupted, exitCodeOf, read: {}, toRepeat: {} },
    ...{ store: task.store.baseUrl, home: folders.home, version: packageVersion() },
    out: join(folders.home, 'adopted'),
    watch: {
      opened() {},
      started() {},
      warned: (message) => log.warn(about, message),
      canary: async () => true,
    },
  });
  if (stopped) throw new RunStopped(stopped.reason, stopped.message);
}
