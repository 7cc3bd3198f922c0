import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, readReports, storeport, storeportProcess } from '../../support/run.ts';

const cli = cliForEachTest();

/** Imports this text; returns the requests that the store received, and the reports. */
async function importing(
  text: string,
  { resource = 'products', more = [] as string[], at = cli.sandbox } = {},
) {
  writeFileSync(join(cli.cwd, 'in.csv'), text);
  const before = at.journal.length;
  const { code, stderr } = await storeport(['import', resource, 'in.csv', '--out', 'out', ...more], {
    cwd: cli.cwd,
    env: environmentOf(at),
  });
  const requests = at.journal.slice(before).filter(({ kind }) => kind === 'create' || kind === 'update');
  const { results, summary } = readReports(join(cli.cwd, 'out'));
  return { code, stderr, requests, results, outcomes: summary.outcomes };
}

const products = (at = cli.sandbox) => at.records('products') as JsonObject[];

const CATALOGUE = `name,reference,description,price.salePrice,price.comparePrice,tags
Tea,T,Green,3,4,hot|leaf
Mug,M,,7,,
"Gläser ""6""",Ü-1,Crystal,20,25,
`;

describe('reimported file', () => {
  test('an unchanged file sends nothing, and each record has its identifier in the results', async () => {
    const first = await importing(CATALOGUE);
    expect(first.outcomes).toEqual({ created: 3 });
    const second = await importing(CATALOGUE);
    expect([second.code, second.requests]).toEqual([0, []]);
    expect(second.outcomes).toEqual({ unchanged: 3 });
    expect(second.results.map(({ id }) => id)).toEqual(first.results.map(({ id }) => id));
    // And once more: the known fields of a record remain after a run that did not change it.
    expect((await importing(CATALOGUE)).outcomes).toEqual({ unchanged: 3 });
  });

  test('a file with one changed cell sends one update with one field', async () => {
    await importing(CATALOGUE);
    const { requests, outcomes } = await importing(CATALOGUE.replace('Green', 'Black'));
    expect(outcomes).toEqual({ updated: 1, unchanged: 2 });
    expect(requests.map(({ kind, did }) => [kind, did?.key])).toEqual([['update', 'T']]);
    expect(products().find(({ reference }) => reference === 'T')).toMatchObject({
      description: 'Black',
      price: { salePrice: 3, comparePrice: 4 },
    });
    expect((await importing(CATALOGUE.replace('Green', 'Black'))).outcomes).toEqual({ unchanged: 3 });
    expect((await importing(CATALOGUE)).outcomes).toEqual({ updated: 1, unchanged: 2 });
  });

  test('a change in one part of an object sends the whole object', async () => {
    await importing(CATALOGUE);
    await importing(CATALOGUE.replace('Green,3,', 'Green,2.5,'));
    expect(products().find(({ reference }) => reference === 'T')?.price).toEqual({
      salePrice: 2.5,
      comparePrice: 4,
    });
  });

  test('a file with a new row sends one create', async () => {
    await importing(CATALOGUE);
    const { requests, outcomes } = await importing(`${CATALOGUE}New,N,,1,,\n`);
    expect(outcomes).toEqual({ created: 1, unchanged: 3 });
    expect(requests.map(({ kind, did }) => [kind, did?.key])).toEqual([['create', 'N']]);
  });

  test('a key is recognised in any Unicode normal form and with surrounding blanks', async () => {
    await importing(CATALOGUE);
    const decomposed = CATALOGUE.replace('Ü-1', ' U\u0308-1 ');
    const { outcomes } = await importing(decomposed);
    // The reference itself is a field, and is now written differently.
    expect(outcomes).toEqual({ updated: 1, unchanged: 2 });
    expect(cli.sandbox.count('products')).toBe(3);
  });

  test('a file with other columns changes only their fields', async () => {
    await importing(CATALOGUE);
    const { outcomes, requests } = await importing('reference,description\nT,Green\nM,Blue\n');
    expect(outcomes).toEqual({ updated: 1, unchanged: 1 });
    expect(requests).toHaveLength(1);
    expect(products().find(({ reference }) => reference === 'M')).toMatchObject({
      name: 'Mug',
      description: 'Blue',
      price: { salePrice: 7 },
    });
    // The fields of the earlier import are still known.
    expect((await importing(CATALOGUE.replace('M,,', 'M,Blue,'))).outcomes).toEqual({ unchanged: 3 });
  });

  test('a key known at one store is unknown at another', async () => {
    await importing(CATALOGUE);
    const other = await startSandbox();
    try {
      const { outcomes } = await importing(CATALOGUE, { at: other });
      expect(outcomes).toEqual({ created: 3 });
    } finally {
      await other.close();
    }
    expect((await importing(CATALOGUE)).outcomes).toEqual({ unchanged: 3 });
  });

  test('a file with reordered columns sends nothing', async () => {
    await importing('name,reference,price.salePrice,price.comparePrice\nTea,T,3,4\n');
    const { outcomes } = await importing('price.comparePrice,price.salePrice,reference,name\n4,3,T,Tea\n');
    expect(outcomes).toEqual({ unchanged: 1 });
  });

  test('a refused update is sent again by the next import', async () => {
    await importing(CATALOGUE);
    cli.sandbox.misbehave({ redirect: '100%@update' });
    expect((await importing(CATALOGUE.replace('Green', 'Black'))).outcomes).toEqual({
      rejected: 1,
      unchanged: 2,
    });
    cli.sandbox.misbehave({});
    expect((await importing(CATALOGUE.replace('Green', 'Black'))).outcomes).toEqual({
      updated: 1,
      unchanged: 2,
    });
  });
});

describe('modes', () => {
  test('--mode create never updates: a known key is a duplicate', async () => {
    await importing(CATALOGUE);
    const { outcomes, requests, results } = await importing(
      `${CATALOGUE.replace('Green', 'Black')}New,N,,1,,\n`,
      { more: ['--mode', 'create'] },
    );
    expect(outcomes).toEqual({ created: 1, duplicate: 3 });
    expect(requests).toHaveLength(1);
    expect(results[0]).toMatchObject({
      code: 'known-key',
      message: expect.stringMatching(/the run \d{8}-.* sent it, row 2/),
    });
  });

  test('--mode update uses known identifiers and creates nothing', async () => {
    await importing(CATALOGUE);
    const { outcomes, results } = await importing('reference,description\nT,Black\nX,New\n', {
      more: ['--mode', 'update'],
    });
    expect(outcomes).toEqual({ updated: 1, invalid: 1 });
    expect(results[1]).toMatchObject({
      code: 'no-id',
      message: expect.stringContaining('no run knows the reference'),
    });
    expect(cli.sandbox.count('products')).toBe(3);
  });

  test('an identifier in the file overrides the known one', async () => {
    await importing(CATALOGUE);
    const [tea, mug] = products();
    const { outcomes } = await importing(`_id,reference,description\n${mug?._id},T,Given\n`);
    expect(outcomes).toEqual({ updated: 1 });
    expect(products().find(({ _id }) => _id === mug?._id)).toMatchObject({ description: 'Given' });
    expect(products().find(({ _id }) => _id === tea?._id)).toMatchObject({ description: 'Green' });
  });
});

describe('resources without an update', () => {
  const CUSTOMERS =
    'firstname,lastname,email,phone,password\nAda,L,ada@example.com,,one\nBo,M,,+4912345,two\n';
  const options = { resource: 'customers' };

  test('a record without an update is unchanged, or reported if its values differ', async () => {
    expect((await importing(CUSTOMERS, options)).outcomes).toEqual({ created: 2 });
    const again = await importing(CUSTOMERS, options);
    expect([again.code, again.outcomes]).toEqual([0, { unchanged: 2 }]);
    const changed = await importing(CUSTOMERS.replace('Ada,L', 'Ada,K'), options);
    expect([changed.code, changed.outcomes]).toEqual([1, { unchanged: 1, unsent: 1 }]);
    expect(changed.results[0]).toMatchObject({
      code: 'no-update',
      message: expect.stringContaining('changed: lastname'),
    });
    expect(cli.sandbox.count('customers')).toBe(2);
  });

  test('a customer is known by a phone number in any spelling, in one file and over runs', async () => {
    const fileOf = (...phones: string[]) =>
      `firstname,lastname,phone\n${phones.map((each) => `Bo,M,${each}\n`).join('')}`;
    const first = await importing(
      fileOf('+1 (415) 555-1234', '+14155551234', '030 1234567', '0301234567'),
      options,
    );
    expect(first.outcomes).toEqual({ created: 3, duplicate: 1 });
    const again = await importing(fileOf('001 415 555-1234', '+14155551234'), options);
    expect(again.outcomes).toEqual({ unchanged: 1, duplicate: 1 });
    expect(cli.sandbox.count('customers')).toBe(3);
  });
});

describe('a key that is in doubt', () => {
  test('a key in doubt stays in doubt when imported again, and nothing is sent', async () => {
    cli.sandbox.misbehave({ 'late-reset': '#2@create' });
    const first = await importing(CATALOGUE, { more: ['--concurrency', '1'] });
    expect(first.outcomes).toEqual({ created: 2, 'in-doubt': 1 });
    const again = await importing(CATALOGUE);
    expect([again.code, again.requests, again.outcomes]).toEqual([1, [], { unchanged: 2, 'in-doubt': 1 }]);
    expect(cli.sandbox.count('products')).toBe(3);
    const elsewhere = await importing('name,reference\nMug,M\nOther,O\n');
    expect(elsewhere.outcomes).toEqual({ created: 1, 'in-doubt': 1 });
  });
});

test('a complete import after a kill leaves nothing to send', async () => {
  const lines = Array.from({ length: 900 }, (_, n) => `Product ${n},ref-${n},${n}`);
  const text = `name,reference,price.salePrice\n${lines.join('\n')}\n`;
  writeFileSync(join(cli.cwd, 'in.csv'), text);
  cli.sandbox.misbehave({ latency: '3ms' });
  await storeportProcess(['import', 'products', 'in.csv', '--concurrency', '8'], {
    cwd: cli.cwd,
    env: environmentOf(cli.sandbox),
    onStart(child) {
      const timer = setInterval(() => {
        if (cli.sandbox.count('products') < 450) return;
        clearInterval(timer);
        child.kill('SIGKILL');
      }, 1);
    },
  });
  cli.sandbox.misbehave({});
  // A new import instead of a resume: completed records are known as well.
  const { outcomes, requests } = await importing(text);
  const { created = 0, unchanged = 0, 'in-doubt': doubtful = 0 } = outcomes;
  expect(created + unchanged + doubtful).toBe(900);
  expect(doubtful).toBeLessThanOrEqual(8);
  expect(requests.filter(({ kind }) => kind === 'update')).toEqual([]);
  const references = products().map(({ reference }) => reference);
  expect(new Set(references).size).toBe(references.length);
});
