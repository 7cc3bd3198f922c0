import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type LedgerSource, localLedger } from '../../../src/ledger/index.ts';
import type { Delivery, Json, StoreRequest } from '../../../src/model/index.ts';
import { exitCodeOf, RunStopped } from '../../../src/model/index.ts';
import { resolveRun, resumeRun, retryRun, runImport, undoRun } from '../../../src/pipeline/index.ts';
import type { StoreTarget } from '../../../src/pipeline/run/context.ts';
import type { ImportOptions } from '../../../src/pipeline/run/options.ts';
import { RESOURCES, type Resource } from '../../../src/resources/index.ts';
import { temporaryFolder } from '../../support/run.ts';
import { waitingLedger } from '../../support/waiting-ledger.ts';

const STORE = 'https://shop.example';

interface Sent {
  readonly path: string;
  readonly body: Record<string, Json>;
}

let folder: string;
let sent: Sent[];
/** Changes the answer to a request; undefined: it is done. */
let answer: (request: Sent) => Partial<Delivery> | undefined;
beforeEach(() => {
  folder = temporaryFolder();
  sent = [];
  answer = () => undefined;
});

const home = () => join(folder, 'home');

const connect = async (): Promise<StoreTarget> => ({
  ...{ store: STORE, ephemeral: false, storeId: 's', concurrency: 3 },
  client: {
    authenticate: async () => ({}),
    async deliver({ path, body = '{}' }: StoreRequest, beforeSending: () => Promise<void>) {
      await beforeSending();
      const request = { path, body: JSON.parse(body.toString()) };
      sent.push(request);
      const done = {
        verdict: 'done' as const,
        attempts: 1,
        durationMs: 1,
        httpStatus: 200,
        id: `id-${sent.length}`,
      };
      return { ...done, ...answer(request) };
    },
    holdsSecret: () => false,
    stop() {},
  },
});

function resourceNamed(name: string): Resource {
  return RESOURCES.find((each) => each.name === name) as Resource;
}

function optionsFor(
  resource: string,
  ledger: LedgerSource,
  more: Partial<ImportOptions> = {},
): ImportOptions {
  return {
    ...{ resource: resourceNamed(resource), home: home(), ledger, exitCodeOf },
    ...{ mode: 'upsert', constants: {}, read: {}, offset: 0, maskContacts: false, files: [] },
    ...{ version: '0', toRepeat: {}, runsFolder: join(folder, 'runs') },
    interrupted: new AbortController().signal,
    watch: { opened() {}, warned() {}, started() {}, canary: async () => true },
    ...more,
  };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const productsWith = (...lines: string[]) => ['name,reference,price.salePrice', ...lines, ''].join('\n');

const importOf = (resource: string, ledger: LedgerSource, path: string, more: Partial<ImportOptions> = {}) =>
  runImport(optionsFor(resource, ledger, { files: [path], ...more }), connect);

const ENGINES: readonly (readonly [string, () => LedgerSource])[] = [
  ['the one under a home', () => localLedger(home())],
  ['one that answers later', () => waitingLedger(home())],
];

describe.each(ENGINES)('with %s as the ledger', (_, engine) => {
  test('a mapping looks up ids that earlier runs were given', async () => {
    const ledger = engine();
    const columns = 'name,address1,city.name,country.name';
    await importOf(
      'suppliers',
      ledger,
      file('suppliers.csv', `${columns}\nMill,Lane 1,Bath,UK\nFord,Lane 2,Bath,UK\n`),
    );
    const ids = new Map(sent.map(({ body }, index) => [body.name, `id-${index + 1}`]));
    const mapping = file(
      'mapping.yaml',
      'resource: products\nfields:\n  name: Name\n  reference: Ref\n  price.salePrice: { from: Price, number: true }\n  supplier._id: { from: Supplier, lookup: { from: suppliers } }\n',
    );
    sent.length = 0;
    const goods = file(
      'goods.csv',
      'Name,Ref,Price,Supplier\nTea,T,3,Mill\nCup,C,4,Ford\nPot,P,5,Mill\nJar,J,6,Nobody\n',
    );
    const summary = await importOf('products', ledger, goods, { mapping });
    expect(summary.outcomes).toMatchObject({ created: 3, invalid: 1 });
    expect(summary.problems).toMatchObject([{ code: 'not-found', count: 1 }]);
    const suppliers = new Map(sent.map(({ body }) => [body.reference, body.supplier]));
    expect(Object.fromEntries(suppliers)).toEqual({
      T: { _id: ids.get('Mill') },
      C: { _id: ids.get('Ford') },
      P: { _id: ids.get('Mill') },
    });
  });

  test('a file that is imported again sends only what has changed, as an update', async () => {
    const ledger = engine();
    await importOf('products', ledger, file('a.csv', productsWith('Tea,T,3', 'Cup,C,4', 'Pot,P,5')));
    const cup = sent.findIndex(({ body }) => body.reference === 'C') + 1;
    sent.length = 0;
    const summary = await importOf(
      'products',
      ledger,
      file('a.csv', productsWith('Tea,T,3', 'Cup,C,9', 'Pot,P,5')),
    );
    expect(summary.outcomes).toEqual({ updated: 1, unchanged: 2 });
    expect(sent).toMatchObject([
      { path: expect.stringContaining(`id-${cup}`), body: { price: { salePrice: 9 } } },
    ]);
  });

  test('an update that replaces a record of another file is warned of', async () => {
    const ledger = engine();
    await importOf('products', ledger, file('a.csv', productsWith('Tea,T,3')));
    await importOf('products', ledger, file('b.csv', productsWith('Engine,T,300')));
    const opened = await ledger.open();
    const [run] = await opened.runs();
    await opened.close();
    expect(run?.files[0]?.warnings?.map(({ message }) => message).join()).toMatch(/from ".*a\.csv"/);
  });

  test('corrected rows of errors.csv replace the records that were refused', async () => {
    const ledger = engine();
    const out = join(folder, 'first');
    await importOf('products', ledger, file('a.csv', productsWith('Tea,T,3', ',C,4', 'Pot,P,5')), { out });
    const errors = readFileSync(join(out, 'errors.csv'), 'utf8');
    const fixed = file('fixed.csv', errors.replace(',C,4', 'Cup,C,4'));
    const summary = await importOf('products', ledger, fixed);
    expect(summary.outcomes).toMatchObject({ created: 1 });
    const opened = await ledger.open();
    const [, first] = await opened.runs();
    expect(first && (await opened.outcomes(first))).toEqual({ created: 3 });
    await opened.close();
    // Once more: the ledger knows by the row that the record has arrived.
    expect((await importOf('products', ledger, fixed)).outcomes).toEqual({ unchanged: 1 });
  });

  test('records that an undo put into the trash are not sent unless the file says so', async () => {
    const ledger = engine();
    const path = file('a.csv', productsWith('Tea,T,3', 'Cup,C,4'));
    const { run } = await importOf('products', ledger, path);
    sent.length = 0;
    const undone = await undoRun(
      run,
      {
        ...optionsFor('products', ledger, { out: join(folder, 'undo') }),
        confirm: async ({ count }) => count === 2,
      },
      connect,
    );
    expect(undone?.outcomes).toMatchObject({ updated: 2 });
    expect(sent.map(({ body }) => body)).toEqual([{ status: 'TRASH' }, { status: 'TRASH' }]);
    sent.length = 0;
    const again = await importOf('products', ledger, path);
    expect(again.problems).toMatchObject([{ code: 'taken-back', count: 2 }]);
    expect(sent).toEqual([]);
  });

  test('a run that stopped is resumed, what failed is sent again, and doubts are settled', async () => {
    const ledger = engine();
    const lines = Array.from({ length: 40 }, (_, n) => `Tea ${n},T${n},3`);
    const path = file('a.csv', productsWith(...lines));
    const stop = new AbortController();
    answer = ({ body }) => {
      if (body.reference === 'T5') stop.abort();
      return undefined;
    };
    const stopped = await importOf('products', ledger, path, { interrupted: stop.signal });
    expect(stopped.stopped?.reason).toBe('interrupted');
    expect(sent.length).toBeLessThan(20);
    answer = ({ body }) =>
      body.reference === 'T30'
        ? { verdict: 'failed', code: 'store-failed', message: 'no' }
        : body.reference === 'T31'
          ? { verdict: 'in-doubt', code: 'no-answer', message: 'gone' }
          : undefined;
    const options = optionsFor('products', ledger, { files: [path] });
    const resumed = await resumeRun(stopped.run, options, connect);
    expect(resumed.outcomes).toMatchObject({ created: 38, failed: 1, 'in-doubt': 1 });
    expect(new Set(sent.map(({ body }) => body.reference)).size).toBe(40);
    expect(sent).toHaveLength(40);
    answer = () => undefined;
    const retried = await retryRun(stopped.run, { ...options, outcomes: ['failed'] }, connect);
    expect(retried.outcomes).toMatchObject({ created: 39, 'in-doubt': 1 });
    const { summary } = await resolveRun(
      { name: stopped.run, home: home(), ledger, exitCodeOf },
      async ({ doubtful }) => new Map(doubtful.map((record) => [record, { id: 'found' }])),
    );
    expect(summary?.outcomes).toMatchObject({ created: 40 });
  });
});

test('a ledger elsewhere is asked for batches, and leaves nothing in the home', async () => {
  const elsewhere = join(folder, 'elsewhere');
  const ledger = waitingLedger(elsewhere);
  const lines = Array.from({ length: 500 }, (_, n) => `Tea ${n},T${n},3`);
  const path = file('a.csv', productsWith(...lines));
  await importOf('products', ledger, path);
  expect((await importOf('products', ledger, path)).outcomes).toMatchObject({ unchanged: 500 });
  expect(ledger.asked.get('lookup')).toBeLessThan(10);
  expect(existsSync(home())).toBe(false);
  expect(readdirSync(elsewhere)).toContain('ledger.db');
});

test('an import stops if the ledger elsewhere cannot be read in the middle', async () => {
  const ledger = waitingLedger(home());
  const path = file('a.csv', productsWith('Tea,T,3'));
  await importOf('products', ledger, path);
  const broken: LedgerSource = {
    ...ledger,
    async open() {
      const opened = await ledger.open();
      const lookup = async () => {
        throw new RunStopped('ledger-failed', 'The ledger is away.');
      };
      return { ...opened, history: async (...given) => ({ ...(await opened.history(...given)), lookup }) };
    },
  };
  sent.length = 0;
  const summary = await importOf('products', broken, path);
  expect(summary.stopped?.reason).toBe('ledger-failed');
  expect(sent).toEqual([]);
});
