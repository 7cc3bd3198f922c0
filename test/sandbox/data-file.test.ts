import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DataFileError, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/run.ts';
import { type OpenSandbox, openSandbox } from './open-sandbox.ts';

const product = (reference: string, more: object = {}) => ({ name: 'Théière 🫖', reference, ...more });

/** A data file with three products, one of them changed, and a customer. */
async function written(): Promise<{ file: string; records: unknown[] }> {
  const file = join(temporaryFolder(), 'store.ndjson');
  const sandbox = await openSandbox({ data: file });
  const ids = [];
  for (const reference of ['a', 'b', 'c'])
    ids.push((await sandbox.post('/api/products/create', product(reference))).json.data._id);
  await sandbox.put(`/api/products/update/?id=${ids[1]}`, { name: 'Changed' });
  await sandbox.post('/api/customers/create', {
    ...{ storeId: sandbox.storeId, firstname: 'Ann', lastname: 'Lee', password: 'correct horse' },
  });
  const records = sandbox.records('products');
  await sandbox.close();
  return { file, records };
}

async function refusal(file: string): Promise<string> {
  const error = await startSandbox({ data: file }).then(
    (sandbox) => sandbox.close().then(() => undefined),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DataFileError);
  return (error as Error).message;
}

describe('a data file', () => {
  test('keeps the records over a restart, each in its last version', async () => {
    const { file, records } = await written();
    const again = await openSandbox({ data: file });
    expect(again.records('products')).toEqual(records);
    expect(again.records('products')).toMatchObject([
      { reference: 'a' },
      { name: 'Changed' },
      { reference: 'c' },
    ]);
    expect(again.count('customers')).toBe(1);
    expect(again.notice).toBeUndefined();
  });

  test('ids and order numbers go on where they were, and updates find their record', async () => {
    const { file } = await written();
    const again = await openSandbox({ data: file });
    const { json } = await again.post('/api/products/create', product('d'));
    expect(json.data._id).toBe('5a9d0b010000000000000003');
    const updated = await again.put('/api/products/update/?id=5a9d0b010000000000000000', { name: 'First' });
    expect(updated.json.data).toMatchObject({ name: 'First', reference: 'a' });
    expect((await again.get('/api/products?limit=2')).json).toMatchObject({
      results: [{ name: 'First' }, { name: 'Changed' }],
      paginate: { total: 4 },
    });
  });

  test('is a line of JSON a version, and holds no password', async () => {
    const { file } = await written();
    const text = readFileSync(file, 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ collection, position }) => [collection, position])).toEqual([
      ['products', 0],
      ['products', 1],
      ['products', 2],
      ['products', 1],
      ['customers', 0],
    ]);
    expect(text).not.toContain('correct horse');
  });

  test('a line that a killed process did not finish is cut off, with a word; the rest counts', async () => {
    const { file, records } = await written();
    const whole = readFileSync(file, 'utf8');
    appendFileSync(file, '{"collection":"products","position":3,"record":{"_id":"5a9d0b01000');
    const again = await openSandbox({ data: file });
    expect(again.notice).toMatch(
      /last line of .*store\.ndjson was not complete, and was cut off \(66 bytes\)/,
    );
    expect(again.records('products')).toEqual(records);
    await again.close();
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  test.each([
    ['not JSON', 'hello\n', /line 6: this is not JSON/],
    ['another shape', '{"name":"a"}\n', /line 6: a line is \{"collection"/],
    ['an unknown collection', '{"collection":"shoes","position":0,"record":{}}\n', /line 6: a line is/],
    [
      'a gap',
      '{"collection":"products","position":9,"record":{}}\n',
      /line 6: products 3 should come next, not 9/,
    ],
    ['a wrong id', '{"collection":"products","position":3,"record":{"_id":"x"}}\n', /line 6: the _id is not/],
    ['an empty line', '\n', /line 6: this is not JSON/],
  ])('%s is refused with file and line, and nothing is changed', async (_what, line, message) => {
    const { file } = await written();
    appendFileSync(file, line);
    const before = readFileSync(file);
    expect(await refusal(file)).toMatch(message);
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('serves one sandbox at a time; a lock of a process that is gone does not count', async () => {
    const { file } = await written();
    const first = await openSandbox({ data: file });
    expect(await refusal(file)).toMatch(new RegExp(`in use by another sandbox \\(process ${process.pid}\\)`));
    await first.close();
    // No process has this id: the largest is 4,194,304.
    writeFileSync(`${file}.lock`, '999999999');
    expect((await openSandbox({ data: file })).count('products')).toBe(3);
  });

  test('a folder that is not there is refused in a sentence', async () => {
    expect(await refusal(join(temporaryFolder(), 'none', 'store.ndjson'))).toMatch(/cannot be used: ENOENT/);
  });
});

describe('in memory', () => {
  test('records of all sizes and scripts come back as they were, across pieces of memory', async () => {
    const sandbox: OpenSandbox = await openSandbox();
    const texts = ['', 'é', '🫖'.repeat(700_000), 'x'.repeat(3_900_000), 'y'.repeat(3_900_000), 'z'];
    for (const [n, html] of texts.entries())
      expect((await sandbox.post('/api/products/create', product(`${n}`, { html }))).status).toBe(200);
    expect(sandbox.records('products').map((record) => (record as { html: string }).html)).toEqual(texts);
  });
});
