import { type AddressInfo, connect as connectSocket, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connect, type Sql, takeLease } from '../../src/postgres/index.ts';
import { startProxy } from '../faults/fleet/machines/proxy.ts';
import { addTestStore, testAddress, testDatabase } from '../support/postgres.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const server = new URL(testAddress().url);
const serverPort = Number(server.port || 5432);

/** The database, by way of a port of this machine. */
function byPort(port: number, schema?: string): Sql {
  const url = new URL(server);
  [url.hostname, url.port] = ['127.0.0.1', String(port)];
  const sql = connect(url.href, { schema, poolSize: 2 });
  cleanUps.push(() => sql.close());
  return sql;
}

async function throughProxy(schema?: string) {
  const proxy = await startProxy({ to: serverPort });
  cleanUps.push(() => proxy.stop());
  return { proxy, sql: byPort(proxy.port, schema) };
}

const away = { name: 'RunStopped', reason: 'ledger-failed' };

test('a statement on a connection that stays silent fails in time, and the next one gets another connection', async () => {
  const { proxy, sql } = await throughProxy();
  await sql.query('select 1');
  proxy.cut('silence');
  await expect(sql.query('select 1 as one', [], 300)).rejects.toMatchObject(away);
  expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a transaction on a connection that stays silent ends without waiting for a rollback', async () => {
  const { proxy, sql } = await throughProxy();
  const work = sql.transaction(async (inside) => {
    await inside.query('select 1');
    proxy.cut('silence');
    await inside.query('select 1');
  }, 300);
  await expect(work).rejects.toMatchObject(away);
  expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('no process waits for a connection that stays silent once it was closed', async () => {
  const waitedFor = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const { proxy, sql } = await throughProxy();
  await sql.query('select 1');
  proxy.cut('silence');
  const open = waitedFor();
  await sql.close();
  cleanUps.pop();
  expect(waitedFor()).toBeLessThan(open);
});

test('a lease is renewed by another connection when its own stays silent', async () => {
  const database = await testDatabase();
  cleanUps.push(() => database.close());
  const store = await addTestStore(database.sql);
  const [line] = await database.sql.query<{ schema: string }>('select current_schema() as schema');
  const { proxy, sql } = await throughProxy(line?.schema);
  const timing = { renewMs: 100, staleMs: 6_000 };
  const lease = await takeLease(sql, { store, holder: 'worker', timing });
  const expiry = async () => {
    const [held] = await database.sql.query<{ expires: Date }>('select expires from lease');
    return held?.expires.getTime() ?? 0;
  };
  proxy.cut('silence');
  const before = await expiry();
  await expect.poll(expiry, { timeout: 30_000 }).toBeGreaterThan(before + 500);
  expect(lease?.lost.aborted).toBe(false);
  await lease?.release();
});

/** Ends of a message that a server sends when it is ready for a statement. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

test('a connection that the server ends while it is handed over does not end the process', async () => {
  let fatal = 1;
  const proxy = createServer((near) => {
    const far = connectSocket(serverPort, '127.0.0.1');
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      const isReady = chunk.subarray(-READY.length).equals(READY);
      near.write(isReady && fatal-- > 0 ? Buffer.concat([chunk, shutdownMessage()]) : chunk);
    });
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.on('error', () => {});
      end.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => new Promise((resolve) => proxy.close(resolve)));
  const sql = byPort((proxy.address() as AddressInfo).port);
  const transaction = () => sql.transaction((inside) => inside.query<{ one: number }>('select 1 as one'));
  await expect(transaction()).rejects.toMatchObject(away);
  expect(await transaction()).toEqual([{ one: 1 }]);
});

/** The message with which Postgres ends a connection. */
function shutdownMessage(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', ''].map((field) => `${field}\0`);
  const body = Buffer.from(fields.join(''));
  const head = Buffer.from('E....');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
