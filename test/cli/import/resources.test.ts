import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { type SandboxCollection, startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

interface Given {
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** Imports `in.csv` into a new sandbox, one record after the other, so that stored records are in order. */
async function importInto(resource: SandboxCollection, { files, args = [] }: Given) {
  const store = await startSandbox();
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  try {
    const ended = await storeport(
      ['import', resource, 'in.csv', '--concurrency', '1', '--out', 'out', ...args],
      {
        cwd,
        env: environmentOf(store),
      },
    );
    return { ended, stored: store.records(resource), cwd, reports: () => readReports(join(cwd, 'out')) };
  } finally {
    await store.close();
  }
}

const LINES = 'customer.email,details.0.product.name,details.0.quantity,details.0.price';

describe('orders', () => {
  test('orders have numbered lines and are identified by the column _key', async () => {
    const { ended, stored, reports } = await importInto('orders', {
      files: { 'in.csv': `_key,${LINES}\nA-1,a@example.com,Pot,2,9.80\nA-2,b@example.com,Cup,1,4\n` },
    });
    expect(ended.code).toBe(0);
    expect(stored).toMatchObject([
      {
        customer: { email: 'a@example.com' },
        details: [{ product: { name: 'Pot' }, quantity: 2, price: 9.8 }],
      },
      { customer: { email: 'b@example.com' } },
    ]);
    expect(JSON.stringify(stored)).not.toContain('A-1');
    expect(reports().results.map(({ key }) => key)).toEqual(['A-1', 'A-2']);
    expect(ended.stderr).not.toMatch(/have no key/);
  });

  test('orders without a key are sent, with a warning not to import the file twice', async () => {
    const { ended, stored } = await importInto('orders', {
      files: { 'in.csv': `${LINES}\na@example.com,Pot,2,9.80\na@example.com,Pot,2,9.80\n` },
    });
    expect(ended.code).toBe(0);
    expect(stored).toHaveLength(2);
    expect(ended.stderr).toMatch(
      /Warning: These orders have no key: .* creates each of them twice\. .*"_key".*`key: <column>`/,
    );
  });

  test('orders are identified by the column in the mapping; a repeated or missing key is not sent', async () => {
    const { stored, reports } = await importInto('orders', {
      files: {
        'in.csv': 'No,Mail,Article\n7,a@example.com,Pot\n 7 ,b@example.com,Cup\n,c@example.com,Jug\n',
        'orders.yaml':
          'resource: orders\nkey: No\nfields:\n  customer.email: Mail\n  details.0.product.name: Article\n',
      },
      args: ['--mapping', 'orders.yaml'],
    });
    expect(stored).toMatchObject([{ customer: { email: 'a@example.com' } }]);
    expect(reports().results.map(({ key, outcome, code }) => [key, outcome, code])).toEqual([
      ['7', 'created', ''],
      ['7', 'duplicate', 'duplicate-key'],
      ['', 'invalid', 'required'],
    ]);
    expect(reports().results[2]?.message).toMatch(/^row 4, column "No": the key is missing: fill this cell/);
  });
});

describe('suppliers', () => {
  test('connectable suppliers need a route, and a missing column for it is reported', async () => {
    const { stored, reports } = await importInto('suppliers', {
      files: { 'in.csv': 'name,address1,connectable\nA,Street 1,no\nB,Street 2,yes\n' },
    });
    expect(stored).toMatchObject([{ name: 'A', connectable: false }]);
    expect(reports().results[1]).toMatchObject({ outcome: 'invalid', code: 'required', field: 'route' });
    expect(reports().results[1]?.message).toMatch(
      /route is missing, and it is required when connectable is true: the file has no column/,
    );
  });
});

describe('updates of products', () => {
  /** A store with three products, and an empty folder. */
  async function shop() {
    const store = await startSandbox();
    onTestFinished(() => store.close());
    const cwd = temporaryFolder();
    const run = async (name: string, text: string, ...args: string[]) => {
      writeFileSync(join(cwd, `${name}.csv`), text);
      const ended = await storeport(['import', 'products', `${name}.csv`, '--out', name, ...args], {
        cwd,
        env: environmentOf(store),
      });
      return { ended, ...readReports(join(cwd, name)) };
    };
    const { results } = await run(
      'new',
      [
        'name,reference,html,tags,price.salePrice,price.comparePrice,seo.hide,images.0.src,images.1.src',
        'Pot,P,<p>old</p>,a|b,1,2,yes,https://example.com/1.png,https://example.com/2.png',
        'Cup,C,<p>old</p>,a,1,2,yes,,',
        'Jug,J,<p>old</p>,a,1,2,yes,,',
        '',
      ].join('\n'),
    );
    const id = (reference: string) => results.find(({ key }) => key === reference)?.id ?? '';
    const stored = (reference: string) => {
      const found = store.records('products').find((each) => (each as JsonObject).reference === reference);
      const { _id, slug, createdAt, updatedAt, ...payload } = found as JsonObject;
      return payload;
    };
    return { store, run, id, stored };
  }

  const UNCHANGED = {
    html: '<p>old</p>',
    price: { salePrice: 1, comparePrice: 2 },
    seo: { hide: true },
  };

  test('an update sends plain fields, objects, lists and JSON, but no empty cells or missing columns', async () => {
    const { store, run, id, stored } = await shop();
    const changes = [
      '_id,name,price.salePrice,price.comparePrice,price.buyingPrice,seo,tags,images.0.src,quantity.instock',
      `${id('P')},Big pot,12.50,15,7,"{""title"":""Pot""}",c|d,https://example.com/3.png,`,
      `${id('C')},,,,,,,,-4`,
      '',
    ].join('\n');
    const { ended, results } = await run('change', changes, '--mode', 'update', '--concurrency', '1');
    expect(ended.code).toBe(0);
    expect(results.map(({ outcome, id: of, http_status }) => [outcome, of, http_status])).toEqual([
      ['updated', id('P'), '200'],
      ['updated', id('C'), '200'],
    ]);
    expect(stored('P')).toEqual({
      name: 'Big pot',
      reference: 'P',
      html: '<p>old</p>',
      price: { salePrice: 12.5, comparePrice: 15, buyingPrice: 7 },
      seo: { title: 'Pot' },
      tags: ['c', 'd'],
      images: [{ src: 'https://example.com/3.png' }],
    });
    expect(stored('C')).toEqual({
      ...UNCHANGED,
      name: 'Cup',
      reference: 'C',
      tags: ['a'],
      quantity: { instock: -4 },
    });
    expect(stored('J')).toEqual({ ...UNCHANGED, name: 'Jug', reference: 'J', tags: ['a'] });
    const puts = store.journal.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ path }) => path)).toEqual(
      ['P', 'C'].map((reference) => `/api/products/update/?id=${id(reference)}`),
    );
  });

  test('an unknown id is rejected with the message of the store; a row without an id is not sent', async () => {
    const { store, run, id, stored } = await shop();
    const changes = `_id,name\n5a9d0b0100000000000000ff,Ghost\n,Nobody\n${id('J')},Big jug\n`;
    const { ended, results, errors } = await run('change', changes, '--mode', 'update');
    expect(ended.code).toBe(1);
    expect(results.map(({ outcome, code, http_status }) => [outcome, code, http_status])).toEqual([
      ['rejected', 'store-refused', '404'],
      ['invalid', 'no-id', ''],
      ['updated', '', '200'],
    ]);
    expect(results[0]?.message).toContain('5a9d0b0100000000000000ff');
    expect(results[1]?.message).toBe(
      'an update needs the store\'s identifier: fill the column "_id"; no run knows the reference either',
    );
    expect(errors.map(({ name }) => name)).toEqual(['Ghost', 'Nobody']);
    expect(stored('J').name).toBe('Big jug');
    expect(store.journal.filter(({ method }) => method === 'PUT')).toHaveLength(2);
  });

  test('upsert updates rows with an id and creates the others from the same columns', async () => {
    const { run, id, stored } = await shop();
    const both = `_id,name,reference,tags,price.salePrice\n${id('P')},,,x|y,\n,Bowl,B,z,3\n`;
    const { results } = await run('both', both);
    expect(results.map(({ outcome }) => outcome)).toEqual(['updated', 'created']);
    expect(stored('P')).toMatchObject({ ...UNCHANGED, name: 'Pot', tags: ['x', 'y'] });
    expect(stored('B')).toEqual({ name: 'Bowl', reference: 'B', tags: ['z'], price: { salePrice: 3 } });
  });

  test.each([
    ['suppliers', 'name'],
    ['discounts', 'code'],
    ['orders', 'status'],
  ] as const)('an update of %s is unsent, and the store is not contacted', async (resource, field) => {
    const { ended, stored, reports } = await importInto(resource, {
      files: { 'in.csv': `_id,${field}\n5a9d0b010000000000000000,x\n` },
      args: ['--mode', 'update'],
    });
    expect(ended.code).toBe(1);
    expect(stored).toEqual([]);
    expect(reports().results).toMatchObject([
      {
        outcome: 'unsent',
        code: 'no-update',
        message: `the store's API cannot update ${resource}; only creating works`,
      },
    ]);
    expect(ended.stderr).not.toMatch(/have no key|as a whole/);
  });
});

describe('update of a part of an object', () => {
  const ID = '5a9d0b010000000000000000';

  /** The warnings of a check of `in.csv`; an import gives the same. */
  async function warnings(text: string, args: readonly string[], mapping?: string): Promise<string[]> {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), text);
    if (mapping !== undefined) writeFileSync(join(cwd, 'mine.yaml'), mapping);
    const named = mapping === undefined ? [] : ['--mapping', './mine.yaml'];
    const { stderr } = await storeport(['validate', 'products', 'in.csv', ...named, ...args], { cwd });
    return stderr.split('\n').filter((line) => line.startsWith('Warning: '));
  }

  const PRICE =
    'Warning: An update replaces price as a whole. The file has price.salePrice, but not price.buyingPrice, ' +
    'price.comparePrice: what the store has there may be lost. Add these columns to keep it.';

  test.each([
    ['--mode', 'update'],
    ['--mode', 'upsert'],
  ])('%s %s: a partial object is sent after a warning that names its missing parts', async (...args) => {
    expect(await warnings(`_id,price.salePrice,seo\n${ID},5,"{""title"":""x""}"\n`, args)).toEqual([PRICE]);
    const { reports } = await importInto('products', {
      files: { 'in.csv': `_id,price.salePrice\n${ID},5\n` },
      args,
    });
    // The store received the request, and has no such product.
    expect(reports().results).toMatchObject([{ outcome: 'rejected' }]);
  });

  test('the warning covers nested objects, and all unknown fields of open ones', async () => {
    expect(
      await warnings(`_id,digitalConfig.emailSettings.body,sizes.weight.value\n${ID},x,2\n`, [
        '--mode',
        'update',
      ]),
    ).toEqual([
      expect.stringMatching(
        /replaces digitalConfig .* has digitalConfig\.emailSettings\.body, but not digitalConfig\.viaEmail, .*digitalConfig\.emailSettings\.subject/,
      ),
      'Warning: An update replaces sizes as a whole. The file has sizes.weight.value: anything else that the store has in sizes may be lost.',
    ]);
  });

  test('a column that the mapping uses and the file lacks counts as a missing part', async () => {
    const mapping =
      'resource: products\nfields:\n  price.salePrice: P\n  price.buyingPrice: B\n  price.comparePrice: C\n';
    expect(await warnings(`_id,P\n${ID},5\n`, ['--mode', 'update'], mapping)).toEqual([PRICE]);
    expect(await warnings(`_id,P,B,C\n${ID},5,1,2\n`, ['--mode', 'update'], mapping)).toEqual([]);
  });

  test('a complete object, or a run without updates, causes no warning', async () => {
    const whole = `_id,price.salePrice,price.buyingPrice,price.comparePrice,brand\n${ID},5,1,9,"{""name"":""B""}"\n`;
    expect(await warnings(whole, ['--mode', 'update'])).toEqual([]);
    expect(await warnings('name,reference,price.salePrice\nA,a,5\n', [])).toEqual([]);
    expect(await warnings(`_id,name,reference,price.salePrice\n${ID},A,a,5\n`, ['--mode', 'create'])).toEqual(
      [],
    );
  });
});
