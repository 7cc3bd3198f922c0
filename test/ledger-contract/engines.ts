import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Ledger, localLedger } from '../../src/ledger/index.ts';
import { ConfigError } from '../../src/model/index.ts';
import { endQuarantines, postgresLedger, takeLease } from '../../src/postgres/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { type OpenTestDatabase, TEST_SEAL, testDatabase } from '../support/postgres.ts';
import { removeTestFolder } from '../support/run.ts';

/** The base URL of the store in these tests. */
export const STORE = NEW_RUN.store;

/** A ledger that has the lock on the store, as one process has it. */
export interface Session {
  readonly ledger: Ledger;
  /** Ids of the runs that were found dead. */
  readonly died: readonly string[];
  /** Ends in good order. */
  leave(): Promise<void>;
  /** Ends in the middle: nothing more is written, and another session may enter. */
  kill(): Promise<void>;
}

/** Tables that sessions share. */
export interface Tables {
  /** Undefined if another session has the lock. */
  enter(): Promise<Session | undefined>;
  remove(): Promise<void>;
}

export interface Engine {
  readonly name: string;
  /** False if texts outside JSON may not have U+0000 or half a surrogate pair. */
  readonly keepsAnyText: boolean;
  /** Opens what all tests of a file share. */
  start(): Promise<StartedEngine>;
}

export interface StartedEngine {
  /** Tables without a run. Those before must be removed. */
  create(): Promise<Tables>;
  stop(): Promise<void>;
}

const sqlite: Engine = {
  name: 'SQLite',
  keepsAnyText: false,
  start: async () => ({ create: async () => sqliteTables(), stop: async () => {} }),
};

function sqliteTables(): Tables {
  const home = mkdtempSync(join(tmpdir(), 'storeport-contract-'));
  return {
    async enter() {
      const ledger = await localLedger(home).open();
      try {
        const died = await ledger.lock(STORE, 'session');
        const leave = () => ledger.close();
        return { ledger, died, leave, kill: leave };
      } catch (error) {
        await ledger.close();
        if (error instanceof ConfigError) return undefined;
        throw error;
      }
    },
    async remove() {
      removeTestFolder(home);
    },
  };
}

const postgres: Engine = {
  name: 'Postgres',
  keepsAnyText: true,
  async start() {
    const database = await testDatabase();
    return { create: () => postgresTables(database), stop: () => database.close() };
  },
};

async function postgresTables({ sql, empty }: OpenTestDatabase): Promise<Tables> {
  const [line] = await sql.query<{ number: number }>(
    'insert into store (name, base_url, reviewed) values ($1, $2, 1) returning number',
    ['shop', STORE],
  );
  const store = line?.number ?? 0;
  let sessions = 0;
  return {
    async enter() {
      sessions += 1;
      const holder = `worker-${sessions}`;
      const lease = await takeLease(sql, { store, holder });
      if (!lease) return undefined;
      const ledger = await postgresLedger({ sql, lease, baseUrl: STORE, seal: async () => TEST_SEAL }).open();
      const died = await ledger.lock(STORE, 'session');
      return {
        ledger,
        died,
        async leave() {
          await ledger.close();
          await lease.release();
        },
        async kill() {
          lease.abandon();
          await sql.query(`update lease set expires = '-infinity' where store = $1`, [store]);
          await endQuarantines(sql, holder);
        },
      };
    },
    remove: empty,
  };
}

export const ENGINES: readonly Engine[] = [sqlite, postgres];

/** Enters tables that nobody has entered. */
export async function entered(tables: Tables): Promise<Session> {
  const session = await tables.enter();
  if (!session) throw new Error('the store is locked');
  return session;
}

/** Gives each test of a file tables of its own, and a session in them. */
export function useSession({ start }: Engine): SessionOfTest {
  let engine: StartedEngine;
  let tables: Tables;
  let session: Session;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine.stop());
  beforeEach(async () => {
    tables = await engine.create();
    session = await entered(tables);
  });
  afterEach(async () => {
    await session.leave();
    await tables.remove();
  });
  return {
    get ledger() {
      return session.ledger;
    },
    get died() {
      return session.died;
    },
    async killed() {
      await session.kill();
      session = await entered(tables);
    },
  };
}

export interface SessionOfTest extends Pick<Session, 'ledger' | 'died'> {
  /** Kills the session; the next one enters. */
  killed(): Promise<void>;
}
