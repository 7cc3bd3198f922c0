import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importRecords, type RecordsEvent, validateRecords } from '../../src/library/index.ts';
import { environmentOf, storeport } from '../support/run.ts';
import { libraryForEachTest } from './fixture.ts';

const library = libraryForEachTest();

const optionsFor = () => {
  const { store, ...options } = library.options();
  return { ...options, store: { ...store, concurrency: 4 } };
};

/** Objects that count how far they were read, and whether they were closed. */
function countedProducts(count: number) {
  const state = { read: 0, closed: false };
  async function* records() {
    try {
      for (let n = 1; n <= count; n++) {
        state.read = n;
        yield { name: `Product ${n}`, reference: `P-${n}` };
      }
    } finally {
      state.closed = true;
    }
  }
  return { records, state };
}

test('leaving the loop stops sending, closes the input and keeps the books', async () => {
  const { records, state } = countedProducts(100_000);
  const imported = importRecords(records(), optionsFor());
  let seen = 0;
  for await (const event of imported) if (event.type === 'record' && ++seen === 10) break;
  const summary = await imported.summary();
  expect(summary.stopped).toMatchObject({ reason: 'interrupted' });
  expect(summary.outcomes.created).toBe(library.sandbox.count('products'));
  expect(library.sandbox.count('products')).toBeLessThan(5000);
  expect(state.closed).toBe(true);
  expect(state.read).toBeLessThan(100_000);
});

test('a signal stops a run, and the same objects imported again complete it', async () => {
  const abort = new AbortController();
  const first = importRecords(countedProducts(400).records(), { ...optionsFor(), signal: abort.signal });
  for await (const event of first) if (event.type === 'record') abort.abort();
  expect((await first.summary()).stopped?.reason).toBe('interrupted');
  const second = await importRecords(countedProducts(400).records(), optionsFor()).summary();
  expect(second.stopped).toBeUndefined();
  expect(library.sandbox.count('products')).toBe(400);
});

test('a loop that takes nothing holds sending and the input back', async () => {
  const { records, state } = countedProducts(50_000);
  let seen = 0;
  for await (const event of importRecords(records(), optionsFor())) {
    if (event.type !== 'record' || ++seen < 100) continue;
    // A thousand events wait, and nothing more is sent.
    while (library.sandbox.count('products') < 1000) await new Promise(setImmediate);
    const sent = await settledCount();
    expect(sent).toBeLessThan(1200);
    expect(state.read).toBeLessThan(sent + 2000);
    break;
  }
});

/** Number of products in the store once it stays the same for a while. */
async function settledCount(): Promise<number> {
  for (let before = -1; before !== library.sandbox.count('products'); ) {
    before = library.sandbox.count('products');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return library.sandbox.count('products');
}

test('an input that fails stops the run with its words, and what was read is accounted for', async () => {
  async function* failing() {
    yield* countedProducts(5).records();
    throw new Error('the database is gone');
  }
  const summary = await importRecords(failing(), optionsFor()).summary();
  expect(summary.stopped).toMatchObject({
    reason: 'source-failed',
    message: expect.stringContaining('records could not be read further: the database is gone'),
  });
  const counted = Object.values(summary.outcomes).reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(summary.records);
  expect(library.sandbox.count('products')).toBe(summary.outcomes.created ?? 0);
});

test('a run over a file that was interrupted is completed by the command run resume', async () => {
  const file = join(library.folder, 'shop.csv');
  const lines = Array.from({ length: 300 }, (_, n) => `Product ${n};P-${n};${n},5`);
  writeFileSync(file, `name;reference;price.salePrice\n${lines.join('\n')}\n`);
  const mapping = join(library.folder, 'mine.yaml');
  writeFileSync(
    mapping,
    'resource: products\nfields:\n  name: name\n  reference: reference\n  price.salePrice: { from: price.salePrice, number: { decimal: "," } }\n',
  );
  const imported = importRecords(
    { files: [file], delimiter: ';' },
    { ...optionsFor(), mapping, constants: { status: 'DRAFT' } },
  );
  for await (const event of imported) if (event.type === 'record') break;
  const { stopped, run: id } = await imported.summary();
  expect(stopped?.reason).toBe('interrupted');
  const resumed = await storeport(['run', 'resume', id, '--home', join(library.folder, 'home')], {
    cwd: library.folder,
    env: environmentOf(library.sandbox),
  });
  expect(resumed).toMatchObject({ code: 0 });
  expect(library.sandbox.count('products')).toBe(300);
  expect(library.sandbox.records('products')).toContainEqual(
    expect.objectContaining({ reference: 'P-7', price: { salePrice: 7.5 }, status: 'DRAFT' }),
  );
});

test('after the canary, the rest waits for a yes', async () => {
  const asked: string[][] = [];
  const options = { ...optionsFor(), canary: 2 };
  const no = async (records: readonly { readonly key: string }[]) => {
    asked.push(records.map(({ key }) => key).sort());
    return false;
  };
  const refused = await importRecords(countedProducts(10).records(), { ...options, confirm: no }).summary();
  expect(asked).toEqual([['P-1', 'P-2']]);
  expect(refused.outcomes).toMatchObject({ created: 2 });
  const rest = await importRecords(countedProducts(10).records(), { ...options, confirm: async () => true });
  expect((await rest.summary()).outcomes).toEqual({ created: 8, unchanged: 2 });
});

test('a store that refuses the secret is an error without the secret, also in events and files', async () => {
  const options = optionsFor();
  const secret = 'hunter2-not-the-secret';
  const events: RecordsEvent[] = [];
  const loop = async () => {
    const store = { ...options.store, clientSecret: secret };
    for await (const event of importRecords(countedProducts(1).records(), { ...options, store }))
      events.push(event);
  };
  const error = await loop().catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ name: 'RunStopped', reason: 'credentials-refused' });
  expect(JSON.stringify([error, (error as Error).message, events])).not.toContain(secret);
});

test('a check sends nothing, and its reports are in the library.folder that is named', async () => {
  const out = join(library.folder, 'reports');
  const events: RecordsEvent[] = [];
  const input = [{ name: 'A', reference: 'A' }, { reference: 'B' }];
  for await (const event of validateRecords(input, {
    ...{ resource: 'products', home: join(library.folder, 'home'), out },
    baseUrl: library.sandbox.url,
  }))
    events.push(event);
  expect(events.flatMap((event) => (event.type === 'record' ? [event.record.outcome] : []))).toEqual([
    'planned',
    'invalid',
  ]);
  expect(library.sandbox.journal).toEqual([]);
  expect(readFileSync(join(out, 'plan.csv'), 'utf8')).toContain('create');
});
