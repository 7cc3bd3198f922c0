import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openRowSeal, replaceRowKey, takePlace } from '../../src/fleet/artifacts/place/index.ts';
import {
  type AnswerDoubts,
  addStore,
  addTasks,
  type ExecutorOptions,
  resolveTask,
  retryTasks,
  showTask,
} from '../../src/fleet/index.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { fleetOfFile } from './fleet-with-workers.ts';

const fleet = fleetOfFile();
const { database, start, ended, executorOptions, artifact } = fleet;

/** Characters that JSON escapes, and letters of several bytes. */
const passwordOf = (index: number) => `hünter "${index}" \\ of-the-house`;

/** Adds an import of customers; the last one is invalid. */
async function addCustomers(count: number): Promise<string> {
  const file = join(fleet.folder, 'customers.csv');
  const lines = Array.from({ length: count }, (_, index) => {
    const email = index === count - 1 ? 'no address' : `ada${index}@example.com`;
    return `Ada,L,${email},"${passwordOf(index).replaceAll('"', '""')}"`;
  });
  writeFileSync(file, `firstname,lastname,email,password\n${lines.join('\n')}\n`);
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'customers', stores: 'relayed', options: { files: [file] } },
  });
  return task?.id ?? '';
}

/** Forms in which a password could be in a text. Base64 depends on where in its group the password begins. */
function formsOf(password: string): string[] {
  return [password, JSON.stringify(password).slice(1, -1)].flatMap((text) => {
    const bytes = Buffer.from(text);
    const inBase64 = [0, 1, 2].map((before) =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(before === 0 ? 0 : 4, -4),
    );
    return [text, bytes.toString('hex'), ...inBase64];
  });
}

/** Returns the text of all tables, also of pg-boss. */
async function dump(sql: Sql): Promise<string> {
  const tables = await sql.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema like current_schema() || '%'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const [line] = await sql.query<{ text: string }>(
      `select coalesce(string_agg(line::text, E'\\n'), '') as text from ${name} as line`,
    );
    // As rows of a record are shown, quotes and backslashes are doubled.
    texts.push(line?.text ?? '', (line?.text ?? '').replaceAll('""', '"').replaceAll('\\\\', '\\'));
  }
  return texts.join('\n');
}

function expectNoPassword(text: string, count: number): void {
  for (let index = 0; index < count; index++)
    for (const form of formsOf(passwordOf(index))) expect(text.includes(form), form).toBe(false);
}

/** Calls `onCommit` after each statement and each transaction: at each of these moments, a kill leaves what is then there. */
function watching(sql: Sql, onCommit: () => Promise<void>): Sql {
  return {
    ...sql,
    async query<Row extends object>(text: string, values?: readonly unknown[], withinMs?: number) {
      const rows = await sql.query<Row>(text, values, withinMs);
      if (/\b(insert|update|delete)\b/.test(text)) await onCommit();
      return rows;
    },
    async transaction(work, withinMs) {
      const result = await sql.transaction(work, withinMs);
      await onCommit();
      return result;
    },
  };
}

async function work(name: string, parts: Partial<ExecutorOptions> = {}): Promise<void> {
  const worker = await start(name, { parts });
  await ended(1);
  worker.drain();
  await worker.end;
}

const notThere: AnswerDoubts = async ({ doubtful }) =>
  new Map(doubtful.map((record) => [record, 'not-there']));

/** Imports six customers: two do not reach the store, and one is invalid. */
async function importWithFailures(): Promise<string> {
  fleet.sandbox.misbehave({ reset: '#2-3@create' });
  const id = await addCustomers(6);
  await work('a');
  fleet.sandbox.misbehave({});
  await resolveTask(await executorOptions('c'), id, notThere);
  return id;
}

/** Bodies of creates on their way to the sandbox, which never shows a password. */
const sent: { readonly email: string; readonly password: string }[] = [];

beforeEach(async () => {
  sent.length = 0;
  const relay = createServer(async (request, response) => {
    const { method = 'GET', url, headers } = request;
    const body = await buffer(request);
    if (method === 'POST' && url?.includes('customer')) sent.push(JSON.parse(body.toString()));
    try {
      const answer = await fetch(`${fleet.sandbox.url}${url}`, {
        method,
        headers: Object.entries(headers).flatMap(([name, value]) =>
          typeof value === 'string' && !/^(host|connection|content-length)$/.test(name)
            ? [[name, value]]
            : [],
        ) as [string, string][],
        ...(body.length > 0 ? { body } : {}),
      });
      const text = await answer.text();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(text);
    } catch {
      // The sandbox has broken the connection, so the relay does too.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    relay.closeAllConnections();
    relay.close();
  });
  await addStore(database.sql, {
    name: 'relayed',
    baseUrl: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    settings: { clientId: fleet.sandbox.clientId, secret: 'env:RED_SECRET' },
  });
});

/** Each customer got its own password, whenever it was sent. */
function expectDelivered(count: number): void {
  const expected = Array.from(
    { length: count },
    (_, index) => `ada${index}@example.com ${passwordOf(index)}`,
  );
  const all = sent.map(({ email, password }) => `${email} ${password}`);
  expect([...new Set(all)].sort()).toEqual(expected.sort());
  expect(fleet.sandbox.count('customers')).toBe(count);
}

test('no table has a password of a customer at any commit of an import, and no log either', async () => {
  const { sql } = database;
  const seen = { commits: 0, log: 0, kept: 0, intents: 0 };
  const count = 6;
  fleet.sandbox.misbehave({ reset: '#3-4@create' });
  const id = await addCustomers(count);
  await work('a', {
    sql: watching(sql, async () => {
      const [line] = await sql.query<{ log: number; kept: number; intents: number }>(
        `select (select count(*) from log) as log, (select count(*) from kept) as kept,
           (select count(*) from intents where entries <> '[]') as intents`,
      );
      seen.commits += 1;
      for (const table of ['log', 'kept', 'intents'] as const) seen[table] += line?.[table] ?? 0;
      expectNoPassword(await dump(sql), count);
    }),
  });
  // All of it was looked at, and had rows.
  expect(seen.commits).toBeGreaterThan(5);
  expect([seen.log > 0, seen.kept > 0]).toEqual([true, true]);
  expect((await showTask(sql, id)).outcomes).toEqual({ created: 3, 'in-doubt': 2, invalid: 1 });
  expectNoPassword(await dump(sql), count);
  expectNoPassword(fleet.lines.join('\n'), count);
  // The files are for people who may read the source.
  expect(await artifact(id, 'errors.csv')).toContain(passwordOf(5).replaceAll('"', '""'));
});

test('a retry by another worker delivers exactly the passwords of the records that failed', async () => {
  const id = await importWithFailures();
  await retryTasks(database.sql, { ids: [id] });
  await work('b');
  expect((await showTask(database.sql, id)).outcomes).toEqual({ created: 5, invalid: 1 });
  expectDelivered(5);
});

test('a key that is missing stops the retry with its path, and the file that is put back cures it', async () => {
  const { sql } = database;
  const id = await importWithFailures();
  const keys = join(fleet.folder, 'artifacts', 'keys');
  const [name = ''] = readdirSync(keys);
  const storage = await fleet.storage();
  const moved = join(fleet.folder, 'moved');
  await takePlace(sql, storage.name, { env: {} });
  await takePlace(sql, moved, { env: {} });
  expect(readdirSync(join(moved, 'keys'))).toEqual([name]);

  rmSync(join(keys, name));
  await expect(openRowSeal(sql, storage)).rejects.toThrow(
    `keys/${name} in ${storage.name}. Nothing was sent`,
  );
  await retryTasks(sql, { ids: [id] });
  await work('b');
  expect(await showTask(sql, id)).toMatchObject({
    ...{ state: 'stopped', exitCode: 2, outcomes: { created: 3, failed: 2, invalid: 1 } },
    stopMessage: expect.stringContaining(`The key of rows in the database is missing: keys/${name}`),
  });
  writeFileSync(join(keys, name), readFileSync(join(moved, 'keys', name)));
  await retryTasks(sql, { ids: [id] });
  await work('d');
  expect((await showTask(sql, id)).outcomes).toEqual({ created: 5, invalid: 1 });
  expectDelivered(5);
});

test('records whose key is lost for good stay unsent and are named, and their rows can be imported again', async () => {
  const { sql } = database;
  const id = await importWithFailures();
  const keys = join(fleet.folder, 'artifacts', 'keys');
  const [name = ''] = readdirSync(keys);
  rmSync(join(keys, name));
  expect((await replaceRowKey(sql, await fleet.storage())).lost).toEqual([name.replace('.json', '')]);
  await retryTasks(sql, { ids: [id] });
  await work('b');
  expect((await showTask(sql, id)).outcomes).toEqual({ created: 3, unsent: 2, invalid: 1 });
  const lost = (await artifact(id, 'results.csv')).split('\n').filter((line) => line.includes('rows-lost'));
  expect(lost).toHaveLength(2);
  expect(fleet.sandbox.count('customers')).toBe(3);
  const again = await addCustomers(6);
  const worker = await start('d');
  await ended(2);
  worker.drain();
  await worker.end;
  expect((await showTask(sql, again)).outcomes).toMatchObject({ created: 2 });
  expectDelivered(5);
});

test('rows under an earlier key stay readable after a new one', async () => {
  const storage = await fleet.storage();
  const before = await openRowSeal(database.sql, storage);
  const sealed = before.seal('[[2,["a"]]]');
  expect(await replaceRowKey(database.sql, storage)).toMatchObject({ lost: [] });
  const after = await openRowSeal(database.sql, storage);
  expect(after.open(sealed)).toBe('[[2,["a"]]]');
  expect(after.seal('[]').slice(0, 16)).not.toBe(sealed.slice(0, 16));
  expect(() => before.open(after.seal('[]'))).toThrow('which this process does not have');
  expect(() => after.open(`${sealed.slice(0, -4)}AAA=`)).toThrow('damaged');
});
