import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { connect, shownDatabase } from '../../src/postgres/index.ts';
import { hasPostgres, testAddress } from '../support/postgres.ts';

describe('connect', () => {
  test('an address that is none is refused without showing its password', () => {
    for (const url of [
      'mysql://root:secret@host/db',
      'postgres://user:secret@host:port/db',
      'host=a password=secret',
    ]) {
      let refused: unknown;
      try {
        connect(url);
      } catch (error) {
        refused = error;
      }
      expect(refused).toMatchObject({ name: 'ConfigError' });
      expect(`${refused} ${JSON.stringify(refused)}`).not.toContain('secret');
    }
  });

  test('the address is shown without user and password', () => {
    expect(shownDatabase('postgres://user:secret@db.example/store%20port')).toBe(
      'db.example:5432/store port',
    );
  });

  test('a database that cannot be reached is a ConfigError, without its password', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const sql = connect(`postgres://user:secret@127.0.0.1:${port}/db`);
    const refused = await sql.query('select 1').catch((error: Error) => error);
    await sql.close();
    expect(refused).toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(`127.0.0.1:${port}/db`),
    });
    expect(JSON.stringify(refused) + String(refused)).not.toContain('secret');
  });

  test('a schema that would be more than a name is refused', () => {
    expect(() => connect('postgres://a@b/c', { schema: 'a -c x=y' })).toThrow('may only have letters');
  });
});

describe.runIf(await hasPostgres())('a statement with values', () => {
  const NAMES = `select name from pg_prepared_statements where statement = 'select $1::text as a'`;

  /** Names of the same statement on a connection of its own, after these others. */
  async function nameAfter(schema: string | undefined, others: readonly string[]): Promise<string> {
    const sql = connect(testAddress().url, { schema, poolSize: 1 });
    for (const text of [...others, 'select $1::text as a']) await sql.query(text, ['x']);
    const [line] = await sql.query<{ name: string }>(NAMES);
    await sql.close();
    return line?.name ?? 'unnamed';
  }

  test('has a name that means the same in every process, and another one in another schema', async () => {
    const name = await nameAfter('one', []);
    expect(await nameAfter('one', ['select $1::text as b'])).toBe(name);
    expect(await nameAfter('two', [])).not.toBe(name);
    expect(name).not.toBe('unnamed');
  });
});
