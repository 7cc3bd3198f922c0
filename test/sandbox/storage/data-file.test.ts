import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { DataFileError, startSandbox } from '../../../src/sandbox/index.ts';
import { storeportProcess, temporaryFolder } from '../../support/run.ts';
import {
  type Answer,
  authentication,
  exchange,
  type OpenSandbox,
  openSandbox,
} from '../../support/sandbox/open-sandbox.ts';

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
  test('keeps the latest version of each record over a restart', async () => {
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

  test('continues ids and order numbers after a restart, and finds records to update', async () => {
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

  test('has one line of JSON for each version, and no password', async () => {
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

  test('has one line for each version even if a body has several lines', async () => {
    const file = join(temporaryFolder(), 'store.ndjson');
    const sandbox = await openSandbox({ data: file });
    for (const lineEnd of ['\n', '\r\n', '\r'])
      await sandbox.post(
        '/api/products/create',
        JSON.stringify(product('a'), null, 2).replaceAll('\n', lineEnd),
      );
    const records = sandbox.records('products');
    await sandbox.close();
    expect(readFileSync(file, 'utf8').match(/[\n\r]/g)).toEqual(['\n', '\n', '\n']);
    expect((await openSandbox({ data: file })).records('products')).toEqual(records);
  });

  test('is truncated with a warning if a killed process did not finish the last line', async () => {
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
    [
      'a record with text after its end',
      '{"collection":"products","position":3,"record":{"_id":"5a9d0b010000000000000003"},"more":1}\n',
      /line 6: this is not JSON/,
    ],
    [
      'line ends of Windows',
      '{"collection":"products","position":3,"record":{"_id":"5a9d0b010000000000000003"}}\r\n',
      /line 6: a line is/,
    ],
    [
      'bytes that are not text',
      Buffer.from('{"collection":"\xff"}\n', 'latin1'),
      /line 6: this is not UTF-8/,
    ],
  ])('%s is refused with file and line, and nothing is changed', async (_what, line, message) => {
    const { file } = await written();
    appendFileSync(file, line);
    const before = readFileSync(file);
    expect(await refusal(file)).toMatch(message);
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test.each(['{"name":"someone\'s only copy, in one line"}', '\0\0\0', `[${'1,'.repeat(800_000)}1]`])(
    'with an end that the sandbox did not write is refused, not truncated (%#)',
    async (other) => {
      const file = join(temporaryFolder(), 'other.json');
      writeFileSync(file, other);
      expect(await refusal(file)).toMatch(/other\.json, line 1: a line is \{"collection"/);
      expect(readFileSync(file, 'utf8')).toBe(other);
    },
  );

  test('has no trace of a create that failed because the disk is full', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'store.ndjson');
    const answers: Answer[] = [];
    await storeportProcess(['sandbox', '--port', '0', '--json', '--data', file], {
      cwd: folder,
      fileBlocks: 8,
      async onStart(child) {
        const [line] = await once(child.stdout as Readable, 'data');
        const { url, ...credentials } = JSON.parse(String(line));
        const { accessToken } = (await exchange(url, 'GET', authentication(credentials))).json;
        for (const [n, html] of ['x'.repeat(3000), 'y'.repeat(6000), 'z'].entries())
          answers.push(
            await exchange(url, 'POST', '/api/products/create', product(`${n}`, { html }), {
              'x-auth-token': accessToken,
            }),
          );
        child.kill('SIGINT');
      },
    });
    expect(answers.map(({ status, json }) => json.message ?? status)).toEqual([
      200,
      expect.stringContaining('EFBIG'),
      200,
    ]);
    const again = await openSandbox({ data: file });
    expect(again.notice).toBeUndefined();
    expect(again.records('products')).toEqual([answers[0]?.json.data, answers[2]?.json.data]);
  });

  test('serves one sandbox at a time; a lock of a dead process does not count', async () => {
    const { file } = await written();
    const first = await openSandbox({ data: file });
    expect(await refusal(file)).toMatch(new RegExp(`in use by another sandbox \\(process ${process.pid}\\)`));
    await first.close();
    // No process has this id: the largest is 4,194,304.
    writeFileSync(`${file}.lock`, '999999999');
    expect((await openSandbox({ data: file })).count('products')).toBe(3);
  });

  test('is free after a kill, also if the next process has the same number, as in containers', async () => {
    const { file } = await written();
    writeFileSync(`${file}.lock`, String(process.pid));
    utimesSync(`${file}.lock`, 1, 1);
    expect((await openSandbox({ data: file })).count('products')).toBe(3);
  });

  test('in a folder that does not exist is refused with a message', async () => {
    expect(await refusal(join(temporaryFolder(), 'none', 'store.ndjson'))).toMatch(/cannot be used: ENOENT/);
  });
});

describe('records in memory', () => {
  test('of all sizes and scripts are returned unchanged, across chunks of memory', async () => {
    const sandbox: OpenSandbox = await openSandbox();
    const texts = ['', 'é', '🫖'.repeat(700_000), 'x'.repeat(3_900_000), 'y'.repeat(3_900_000), 'z'];
    for (const [n, html] of texts.entries())
      expect((await sandbox.post('/api/products/create', product(`${n}`, { html }))).status).toBe(200);
    expect(sandbox.records('products').map((record) => (record as { html: string }).html)).toEqual(texts);
  });
});
