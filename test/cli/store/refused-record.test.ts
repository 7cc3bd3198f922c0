import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpStore } from '../../support/http-store.ts';
import { booksOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

const LIST = { results: [], paginate: { total: 0, per_page: 1, current_page: 1, last_page: 1 } };
const REFUSAL = { status: 401, body: { status: 'error', message: 'not for this brand' } };

/** A store that answers 401, whatever the token, for the product R3 or its identifier. */
async function refusingStore() {
  let refuses = (_: { reference?: unknown; id?: string | undefined; method: string }) => false;
  let made = 0;
  const store = await httpStore(({ method, body, query }) => {
    const reference = (body as { reference?: unknown })?.reference;
    if (refuses({ reference, id: query.id, method })) return REFUSAL;
    if (method === 'GET') return LIST;
    return { status: 'success', data: { _id: query.id ?? `id-${++made}` } };
  });
  return {
    ...store,
    refuse(when: typeof refuses) {
      refuses = when;
    },
  };
}

function commandsIn(store: Awaited<ReturnType<typeof refusingStore>>) {
  const cwd = temporaryFolder();
  const rows = Array.from({ length: 8 }, (_, n) => `Mug ${n},R${n}\n`);
  writeFileSync(join(cwd, 'in.csv'), `name,reference\n${rows.join('')}`);
  return {
    run: (...args: string[]) => storeport(args, { cwd, env: store.environment }),
    reports: (folder = 'out') => readReports(join(cwd, folder)),
  };
}

test.each(['1', '16'])(
  'a product that always gets a 401 is rejected, and the import completes: --concurrency %s',
  async (concurrency) => {
    const store = await refusingStore();
    store.refuse(({ reference }) => reference === 'R0');
    const { run, reports } = commandsIn(store);
    const { code } = await run(
      ...['import', 'products', 'in.csv', '--out', 'out', '--concurrency', concurrency],
    );
    expect(code).toBe(1);
    expect(reports().summary.outcomes).toEqual({ created: 7, rejected: 1 });
    expect(booksOf(reports()).balanced).toBe(true);
    expect(reports().errors).toMatchObject([
      {
        reference: 'R0',
        storeport_code: 'store-refused',
        storeport_message: expect.stringContaining('(401): not for this brand'),
      },
    ]);
  },
);

test('credentials refused for all records stop the import with none rejected, and resume completes it', async () => {
  const store = await refusingStore();
  let seen = 0;
  store.refuse(() => ++seen > 3);
  const { run, reports } = commandsIn(store);
  const { code } = await run('import', 'products', 'in.csv', '--out', 'out', '--concurrency', '1');
  expect(code).toBe(3);
  expect(reports().summary.stopped.reason).toBe('credentials-refused');
  expect(reports().summary.outcomes).toMatchObject({ created: 3 });
  expect(reports().summary.outcomes.rejected).toBeUndefined();

  store.refuse(({ reference }) => reference === 'R5');
  expect((await run('run', 'resume')).code).toBe(1);
  expect(reports().summary.outcomes).toEqual({ created: 7, rejected: 1 });
  // A further resume has nothing left to send.
  store.refuse(() => false);
  expect((await run('run', 'retry', '--rejected')).code).toBe(0);
  expect(reports().summary.outcomes).toEqual({ created: 8 });
});

test('an undo continues after a product whose update always gets a 401', async () => {
  const store = await refusingStore();
  const { run, reports } = commandsIn(store);
  await run('import', 'products', 'in.csv', '--out', 'out', '--concurrency', '1');
  store.refuse(({ id }) => id === 'id-2');
  expect((await run('run', 'undo', 'last', '--yes', '--out', 'undone')).code).toBe(1);
  expect(reports('undone').summary.outcomes).toEqual({ updated: 7, rejected: 1 });
});
