import { expect, test } from 'vitest';
import { encodeIntent } from '../../src/ledger/index.ts';
import { connect, fenced, migrate, postgresLedger, takeLease } from '../../src/postgres/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { addTestStore, TEST_SEAL, testAddress, testDatabase } from '../support/postgres.ts';

const SETTINGS = `current_setting('transaction_isolation') as isolation, current_setting('synchronous_commit') as durable`;
const PATIENCE = `current_setting('idle_in_transaction_session_timeout') as patience`;

/** Keeps the settings under which each intent was written. */
const WATCH = `
  create table seen (isolation text, durable text);
  create function watch() returns trigger language plpgsql as $$
    begin insert into seen select ${SETTINGS}; return new; end $$;
  create trigger watch before insert on log for each row execute function watch();`;

test('defaults of the database make neither intents nor folds less safe', async () => {
  const { url, schema, drop } = testAddress();
  const sql = connect(url, { schema, poolSize: 1 });
  try {
    await migrate(sql);
    await sql.script(
      `${WATCH} set synchronous_commit to off; set default_transaction_isolation to 'repeatable read'`,
    );
    const store = await addTestStore(sql, NEW_RUN.store);
    const lease = await takeLease(sql, { store, holder: 'w1' });
    if (!lease) throw new Error('the lease is busy');
    const ledger = await postgresLedger({
      sql,
      lease,
      baseUrl: NEW_RUN.store,
      seal: async () => TEST_SEAL,
    }).open();
    const run = await ledger.begin(NEW_RUN, 1);
    await run.intend(
      encodeIntent({ ...{ seq: 0, row: 2, key: 'k', kind: 'create' }, rows: [{ row: 2, cells: ['k'] }] }),
    );
    lease.abandon();
    expect(await sql.query('select durable from seen')).toEqual([{ durable: 'on' }]);
    const inside = await sql.transaction((each) => each.query(`select ${SETTINGS}, ${PATIENCE}`));
    expect(inside).toEqual([{ isolation: 'read committed', durable: 'on', patience: '15s' }]);
  } finally {
    await sql.close();
    await drop();
  }
});

test('a worker that is paused in a transaction does not keep its store from others', async () => {
  const database = await testDatabase();
  try {
    const { sql } = database;
    const store = await addTestStore(sql, NEW_RUN.store);
    const paused = await takeLease(database.another(), { store, holder: 'paused', timing: { ttlMs: 1 } });
    if (!paused) throw new Error('the lease is busy');
    paused.abandon();
    const end = await fenced(database.another(), paused, async (inside) => {
      // Sooner than by default.
      await inside.script(`set local idle_in_transaction_session_timeout = 50`);
      const next = await takeLease(sql, { store, holder: 'next' });
      next?.abandon();
      expect(next?.epoch).toBe(2);
      await inside.query('select 1');
    }).catch((error: unknown) => error);
    expect(end).toMatchObject({ reason: 'ledger-failed' });
  } finally {
    await database.close();
  }
});
