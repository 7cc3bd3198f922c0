import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ConfigError, printedCommand } from '../../../model/index.ts';
import {
  createRowSeal,
  newRowKey,
  type RowKey,
  type RowSeal,
  rowKeyOf,
  type Sql,
} from '../../../postgres/index.ts';
import type { ArtifactStorage } from '../types.ts';
import { reached } from './marker.ts';
import { lockPlace } from './record.ts';

const ABOUT =
  'With this key, storeport encrypts the rows that its database keeps. Keep this file: without it, records that failed cannot be sent again.';

const pathOf = (id: string) => `keys/${id}.json`;

interface KeyLine {
  readonly id: string;
  readonly isLost: boolean;
}

/** Ids of the keys of the database, the current one last. */
function keyLines(sql: Sql): Promise<KeyLine[]> {
  return sql.query<KeyLine>('select id, is_lost as "isLost" from row_key order by number');
}

/**
 * Opens the keys of the rows in the database, which are beside the files of tasks. The first process makes one. Throws
 * ConfigError if one is missing that was not declared lost. Without a place, this process reads its own rows only.
 */
export async function openRowSeal(sql: Sql, storage: ArtifactStorage | undefined): Promise<RowSeal> {
  if (storage === undefined) return createRowSeal({ current: newRowKey(), isPartial: true });
  const lines = await keyLines(sql);
  const known = lines.filter(({ isLost }) => !isLost);
  const lost = lines.filter(({ isLost }) => isLost).map(({ id }) => id);
  const keys: RowKey[] = [];
  for (const { id } of known) {
    const key = await readKey(storage, id);
    if (key === undefined) throw missingKey(storage.name, id);
    keys.push(key);
  }
  const current = keys.pop();
  if (current !== undefined) return createRowSeal({ current, earlier: keys, lost });
  await makeKey(sql, storage, known.length);
  return openRowSeal(sql, storage);
}

/** Makes the next key, unless another process was faster. The file comes first: a key in the database is never without one. */
async function makeKey(sql: Sql, storage: ArtifactStorage, before: number): Promise<void> {
  const key = newRowKey();
  await writeKey(storage, key);
  await sql.transaction(async (inside) => {
    await lockPlace(inside);
    if ((await keyLines(inside)).filter(({ isLost }) => !isLost).length > before) return;
    await inside.query('insert into row_key (id) values ($1)', [key.id]);
  });
}

export interface ReplacedKey {
  /** Path of the new key in the place of the files. */
  readonly path: string;
  /** Ids of keys that are lost from now on. */
  readonly lost: readonly string[];
}

/** Encrypts by a new key from now on. Keys whose files are missing are lost then: a user says so. No worker may be at work. */
export async function replaceRowKey(sql: Sql, storage: ArtifactStorage): Promise<ReplacedKey> {
  const known = (await keyLines(sql)).filter(({ isLost }) => !isLost);
  const lost: string[] = [];
  for (const { id } of known) if ((await readKey(storage, id)) === undefined) lost.push(id);
  const key = newRowKey();
  await writeKey(storage, key);
  await sql.transaction(async (inside) => {
    await lockPlace(inside);
    await inside.query('update row_key set is_lost = true where id = any ($1::text[])', [lost]);
    await inside.query('insert into row_key (id) values ($1)', [key.id]);
  });
  return { path: pathOf(key.id), lost };
}

/**
 * Writes the keys again, since rules of a bucket may remove old objects. Throws ConfigError if one is missing. `former`: opens the
 * place that had them before; undefined if it cannot be reached.
 */
export async function renewRowKeys(
  sql: Sql,
  storage: ArtifactStorage,
  former: () => Promise<ArtifactStorage | undefined> = async () => undefined,
): Promise<void> {
  for (const { id, isLost } of await keyLines(sql)) {
    if (isLost) continue;
    const key = (await readKey(storage, id)) ?? (await formerKey(await former(), id));
    if (key === undefined) throw missingKey(storage.name, id);
    await writeKey(storage, key);
  }
}

async function formerKey(former: ArtifactStorage | undefined, id: string): Promise<RowKey | undefined> {
  try {
    return former && (await readKey(former, id));
  } finally {
    await former?.close();
  }
}

async function readKey(storage: ArtifactStorage, id: string): Promise<RowKey | undefined> {
  const content = await reached(storage, () => storage.get(pathOf(id)));
  if (content === undefined) return undefined;
  const key = keyIn(await reached(storage, () => text(content)));
  if (key?.id !== id) throw damagedKey(storage.name, id);
  return key;
}

function keyIn(words: string): RowKey | undefined {
  try {
    const { key } = JSON.parse(words) as { readonly key?: unknown };
    return typeof key === 'string' ? rowKeyOf(Buffer.from(key, 'base64')) : undefined;
  } catch {
    return undefined;
  }
}

async function writeKey(storage: ArtifactStorage, { id, secret }: RowKey): Promise<void> {
  const content = Buffer.from(
    `${JSON.stringify({ about: ABOUT, key: secret.toString('base64') }, null, 2)}\n`,
  );
  await reached(storage, () => storage.put(pathOf(id), Readable.from([content]), { bytes: content.length }));
}

/** Composed when it is needed: the command then names the database of the running command. */
const ifLost = () =>
  'If it is lost for good, records that failed stay unsent, and their rows must be imported again from the source. ' +
  `Stop the workers, then: ${printedCommand('fleet init', [], { 'new-key': true })}`;

function missingKey(place: string, id: string): ConfigError {
  return new ConfigError(
    `The key of rows in the database is missing: ${pathOf(id)} in ${place}. Nothing was sent.`,
    ['Put the file back, from the former place of the files or a backup of it.', ifLost()],
  );
}

function damagedKey(place: string, id: string): ConfigError {
  return new ConfigError(
    `The key of rows in the database is damaged: ${pathOf(id)} in ${place}. Nothing was sent.`,
    ['Put the file back as it was. If nobody has it any more, remove it.', ifLost()],
  );
}
