import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, environmentOf, readHeader, readReports, sample, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

const SHOPIFY = `Handle,Title,Body (HTML),Vendor,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Status
mug,Mug,"<p>Blue &amp; <b>""big""</b></p>
<p>Two lines</p>",Acme,"kitchen, blue,,kitchen",TRUE,Color,Blue,'0017,12.50,https://img.example.com/1.png,Active
mug,,,,,,,Red,0018,13,https://img.example.com/2.png,
mug,,,,,,,,,,https://img.example.com/1.png,
tea,Thé vert,,Acme,,TRUE,Title,Default Title,T-1,4.20,,draft
bad,Bad,,Acme,,TRUE,Title,Default Title,B-1,abc,,active
odd,Odd,,Acme,,TRUE,Title,Default Title,O-1,1,,sold
`;

const APART = `Handle,Title,Option1 Name,Option1 Value,Variant Price
tee,Tee,Size,S,1
cap,Cap,Size,One,2
tee,,,M,3
`;

/** Imports text into a new sandbox, so that it has only the records of this import. */
async function importText(resource: string, text: string, args: string[] = []) {
  const store = await startSandbox();
  const { cwd } = cli;
  writeFileSync(join(cwd, 'in.csv'), text);
  try {
    const ended = await storeport(['import', resource, 'in.csv', '--out', 'out', ...args], {
      cwd,
      env: environmentOf(store),
    });
    const collection = resource as 'products' | 'customers';
    return {
      ended,
      cwd,
      // biome-ignore lint/suspicious/noExplicitAny: what the store holds is looked at from many sides
      stored: store.records(collection) as any[],
      journal: store.journal,
      reports: readReports(join(cwd, 'out')),
    };
  } finally {
    await store.close();
  }
}

describe('import of a Shopify export', () => {
  test('a Shopify import creates one product per handle and accounts for every record', async () => {
    const { ended, stored, reports, cwd } = await importText('products', SHOPIFY);
    expect(ended.code).toBe(1);
    expect(stored).toHaveLength(2);
    const mug = stored.find((product) => product.reference === 'mug');
    expect(mug).toMatchObject({
      name: 'Mug',
      html: '<p>Blue &amp; <b>"big"</b></p>\n<p>Two lines</p>',
      type: 'variable',
      status: 'PUBLISH',
      tags: ['kitchen', 'blue'],
      price: { salePrice: 12.5 },
      brand: { name: 'Acme' },
      images: [{ src: 'https://img.example.com/1.png' }, { src: 'https://img.example.com/2.png' }],
      options: [{ name: 'Color', values: [{ value1: 'Blue' }, { value1: 'Red' }] }],
    });
    expect(
      mug.variants.map((variant: { name: string; reference: string; price: object }) => [
        variant.name,
        variant.reference,
        variant.price,
      ]),
    ).toEqual([
      ['Blue', '0017', { salePrice: 12.5 }],
      ['Red', '0018', { salePrice: 13 }],
    ]);
    const tea = stored.find((product) => product.reference === 'tea');
    expect(tea).toMatchObject({ name: 'Thé vert', type: 'simple', status: 'DRAFT', model: 'T-1' });
    expect(tea).not.toHaveProperty('options');
    expect(tea).not.toHaveProperty('html');

    expect(booksOf(reports)).toEqual({ balanced: true, counted: { created: 2, invalid: 2 } });
    expect(reports.results.map((line) => [line.row, line.key, line.outcome, line.code, line.field])).toEqual([
      ['2', 'mug', 'created', '', ''],
      ['5', 'tea', 'created', '', ''],
      ['6', 'bad', 'invalid', 'not-a-number', 'price.salePrice'],
      ['7', 'odd', 'invalid', 'unknown-word', 'status'],
    ]);
    expect(reports.results[0]).toMatchObject({ id: mug._id, http_status: '200', attempts: '1', message: '' });
    expect(reports.results[2]?.message).toBe(
      'row 6, column "Variant Price": "abc" is not a number; write it like 1234.50',
    );
    expect(reports.results[3]?.message).toContain(
      '"sold" is not known here; use one of: active, draft, archived',
    );
    expect(readHeader(join(cwd, 'out', 'results.csv')).join()).toBe(
      'row,key,outcome,id,http_status,attempts,duration_ms,code,field,message',
    );
  });

  test('errors.csv returns the original rows, followed by the reason', async () => {
    const { reports, cwd } = await importText('products', SHOPIFY);
    const header = readHeader(join(cwd, 'out', 'errors.csv'));
    expect(header).toEqual([
      ...SHOPIFY.slice(0, SHOPIFY.indexOf('\n')).split(','),
      'storeport_run',
      'storeport_row',
      'storeport_outcome',
      'storeport_code',
      'storeport_field',
      'storeport_message',
    ]);
    expect(
      reports.errors.map((row) => [
        row.Handle,
        row['Variant Price'],
        row.storeport_row,
        row.storeport_outcome,
      ]),
    ).toEqual([
      ['bad', 'abc', '6', 'invalid'],
      ['odd', '1', '7', 'invalid'],
    ]);
    expect(reports.errors[0]?.storeport_run).toBe(reports.summary.run);
    expect(reports.inDoubt).toEqual([]);
  });

  test('a corrected errors.csv is imported without its own columns as data', async () => {
    const { cwd } = await importText('products', SHOPIFY);
    const corrected = readFileSync(join(cwd, 'out', 'errors.csv'), 'utf8')
      .replace(',abc,', ',9.90,')
      .replace(',sold,', ',active,');
    const again = await importText('products', corrected);
    expect(again.ended.code).toBe(0);
    expect(again.stored.map((product) => product.reference).sort()).toEqual(['bad', 'odd']);
    expect(
      readHeader(join(again.cwd, 'out', 'errors.csv')).filter((name) => name === 'storeport_run'),
    ).toHaveLength(1);
    expect(again.ended.stderr).not.toContain('storeport_');
  });

  test('a product with non-adjacent rows is created with all its variants', async () => {
    const { ended, reports, stored } = await importText('products', APART);
    expect(ended.code).toBe(0);
    expect(stored.map(({ reference, variants }) => [reference, variants.length])).toEqual([
      ['tee', 2],
      ['cap', 1],
    ]);
    expect(reports.results.map(({ row, key }) => [row, key])).toEqual([
      ['2', 'tee'],
      ['3', 'cap'],
    ]);
    expect(ended.stdout).toContain(
      'Warning: Rows of a record are apart from its others, and were put together',
    );
    expect(reports.summary.files[0].warnings).toMatchObject([
      { count: 1, records: [{ row: 2, key: 'tee' }] },
    ]);
  });

  test('a product with non-adjacent rows is created only once all of them are valid', async () => {
    const first = await importText('products', APART.replace(',M,3', ',M,x'));
    expect(first.stored.map(({ reference }) => reference)).toEqual(['cap']);
    expect(first.reports.errors.map((row) => row['Option1 Value'])).toEqual(['S', 'M']);
    const corrected = readFileSync(join(first.cwd, 'out', 'errors.csv'), 'utf8').replace(',M,x', ',M,3');
    const { stored } = await importText('products', corrected);
    expect(stored.map(({ reference, variants }) => [reference, variants.length])).toEqual([['tee', 2]]);
  });
});

describe('import of the native form', () => {
  test('the native form maps columns to API paths and reports a repeated key as a duplicate', async () => {
    const { ended, reports, stored } = await importText(
      'products',
      'name,reference,price.salePrice,tags,images.0.src,seo.hide\nOne,r1,1.5,a|b,https://img.example.com/a.png,yes\nTwo,r2,,,,\nOne again, r1 ,2,,,\n',
    );
    expect(ended.code).toBe(0);
    expect(stored).toHaveLength(2);
    expect(stored.find((product) => product.reference === 'r1')).toMatchObject({
      price: { salePrice: 1.5 },
      tags: ['a', 'b'],
      images: [{ src: 'https://img.example.com/a.png' }],
      seo: { hide: true },
    });
    expect(reports.results[2]).toMatchObject({ outcome: 'duplicate', code: 'duplicate-key' });
    expect(reports.results[2]?.message).toContain('row 2');
    expect(booksOf(reports).balanced).toBe(true);
  });

  test('rows with an _id update that record with only the columns of the file', async () => {
    const store = await startSandbox();
    const { cwd } = cli;
    const env = environmentOf(store);
    try {
      writeFileSync(join(cwd, 'new.csv'), 'name,reference,price.salePrice\nOne,r1,1\n');
      await storeport(['import', 'products', 'new.csv', '--out', 'a'], { cwd, env });
      const id = readReports(join(cwd, 'a')).results[0]?.id ?? '';
      writeFileSync(join(cwd, 'change.csv'), `_id,status\n${id},PUBLISH\n,DRAFT\n`);
      const ended = await storeport(['import', 'products', 'change.csv', '--mode', 'update', '--out', 'b'], {
        cwd,
        env,
      });
      expect(ended.code).toBe(1);
      expect(store.records('products')).toMatchObject([
        { _id: id, name: 'One', status: 'PUBLISH', price: { salePrice: 1 } },
      ]);
      expect(
        readReports(join(cwd, 'b')).results.map(({ outcome, id: of, code }) => [outcome, of, code]),
      ).toEqual([
        ['updated', id, ''],
        ['invalid', '', 'no-id'],
      ]);
    } finally {
      await store.close();
    }
  });

  test('a repeated change in one file is sent once, and no change sends nothing', async () => {
    const { reports, journal } = await importText(
      'products',
      '_id,name\n5a9d0b010000000000000000,A\n5a9d0b010000000000000000,B\n5a9d0b010000000000000001,\n',
      ['--mode', 'update'],
    );
    expect(reports.results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['rejected', 'store-refused'],
      ['duplicate', 'duplicate-key'],
      ['unchanged', 'no-changes'],
    ]);
    expect(journal.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  test('upsert updates rows with an identifier and creates the others', async () => {
    const store = await startSandbox();
    const { cwd } = cli;
    const env = environmentOf(store);
    try {
      writeFileSync(join(cwd, 'new.csv'), 'name,reference\nOne,r1\n');
      await storeport(['import', 'products', 'new.csv', '--out', 'a'], { cwd, env });
      const id = readReports(join(cwd, 'a')).results[0]?.id ?? '';
      writeFileSync(join(cwd, 'both.csv'), `_id,name,reference\n${id},Uno,\n,Two,r2\n,Three,\n`);
      await storeport(['import', 'products', 'both.csv', '--out', 'b'], { cwd, env });
      const { results } = readReports(join(cwd, 'b'));
      expect(results.map(({ outcome, code }) => [outcome, code])).toEqual([
        ['updated', ''],
        ['created', ''],
        ['invalid', 'required'],
      ]);
      expect(store.records('products')).toMatchObject([
        { _id: id, name: 'Uno', reference: 'r1' },
        { name: 'Two', reference: 'r2' },
      ]);
    } finally {
      await store.close();
    }
  });

  test('an update of customers is reported as impossible and not sent', async () => {
    const { ended, reports, journal } = await importText('customers', '_id,firstname\nx1,Ann\n', [
      '--mode',
      'update',
    ]);
    expect(ended.code).toBe(1);
    expect(reports.results[0]).toMatchObject({ outcome: 'unsent', code: 'no-update' });
    expect(journal.filter(({ path }) => path.includes('customers'))).toEqual([]);
  });

  test('an import of customers takes the store id from the token', async () => {
    const { ended, stored } = await importText(
      'customers',
      'firstname,lastname,email\nAnn,Lee,ann@example.com\n',
    );
    expect(ended.code).toBe(0);
    expect(stored[0]).toMatchObject({ firstname: 'Ann', storeId: cli.sandbox.storeId });
  });
});

describe('options of import', () => {
  const NATIVE = `name,reference\n${Array.from({ length: 10 }, (_, n) => `P${n},r${n}`).join('\n')}\n`;

  test('--json prints the summary and nothing else on standard output', async () => {
    const { ended, reports } = await importText('products', NATIVE, ['--json']);
    expect(JSON.parse(ended.stdout)).toEqual(reports.summary);
    expect(ended.stdout.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).toBe('');
    expect(reports.summary).toMatchObject({
      records: 10,
      outcomes: { created: 10 },
      exit_code: 0,
      resource: 'products',
    });
    expect(reports.summary.files[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(reports.summary).not.toHaveProperty('not_read');
  });

  test('--quiet prints nothing to standard error', async () => {
    const { ended } = await importText('products', NATIVE, ['--quiet']);
    expect(ended.stderr).toBe('');
    expect(ended.stdout).toContain('10 created');
  });

  test('--offset and --limit select a part and keep the row numbers', async () => {
    const { reports, stored } = await importText('products', NATIVE, ['--offset', '2', '--limit', '3']);
    expect(stored.map((product) => product.reference).sort()).toEqual(['r2', 'r3', 'r4']);
    expect(reports.results.map(({ row }) => row)).toEqual(['4', '5', '6']);
  });

  test('--offset beyond the last record is reported', async () => {
    const { ended } = await importText('products', NATIVE, ['--offset', '500']);
    expect(ended.stdout).toContain('There are no more than 500 records, and --offset skips these.');
  });

  test('--set gives all records the same value and overrides a column', async () => {
    const { stored } = await importText('products', NATIVE, [
      '--set',
      'status=DRAFT',
      '--set',
      'price.salePrice=9.5',
      '--set',
      'name=Same',
    ]);
    expect(stored).toHaveLength(10);
    for (const product of stored)
      expect(product).toMatchObject({ status: 'DRAFT', price: { salePrice: 9.5 }, name: 'Same' });
  });

  test('--mask-contacts replaces mail addresses and phone numbers', async () => {
    const { stored } = await importText(
      'customers',
      'firstname,lastname,email,phone,address.phone\nA,B,ann@example.com,+1 202 555 0143,+1 202 555 0143\nC,D,bob@example.com,,\n',
      ['--mask-contacts'],
    );
    expect(JSON.stringify(stored)).not.toMatch(/ann@|bob@|555/);
    expect(new Set(stored.map((customer) => customer.email)).size).toBe(2);
    for (const customer of stored) expect(customer.email).toMatch(/@example\.invalid$/);
  });

  test('an import reads standard input, several files and other delimiters', async () => {
    const { cwd } = cli;
    const env = environmentOf(cli.sandbox);
    const piped = await storeport(['import', 'products', '-', '--out', 'a', '--json'], {
      cwd,
      env,
      input: 'name;reference\nA;p1\nB;p2\n',
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({ records: 2, outcomes: { created: 2 } });
    writeFileSync(join(cwd, '1.csv'), 'name,reference\nA,q1\n');
    writeFileSync(join(cwd, '2.csv'), 'name,reference\nB,q2\nC,q1\n');
    const both = await storeport(['import', 'products', '1.csv', '2.csv', '--out', 'b', '--json'], {
      cwd,
      env,
    });
    expect(JSON.parse(both.stdout)).toMatchObject({ records: 3, outcomes: { created: 2, duplicate: 1 } });
  });

  test('--dry-run contacts no store', async () => {
    const { ended, journal, reports } = await importText('products', NATIVE, ['--dry-run']);
    expect(ended.code).toBe(0);
    expect(journal).toEqual([]);
    expect(reports.summary).toMatchObject({ command: 'validate', store: null, outcomes: { planned: 10 } });
  });

  test('a file with only a header completes at once', async () => {
    const { ended, reports } = await importText('products', 'name,reference\n');
    expect(ended.code).toBe(0);
    expect(reports.summary.records).toBe(0);
  });

  test('a mapping file is found by its path', async () => {
    const store = await startSandbox();
    const { cwd } = cli;
    try {
      writeFileSync(
        join(cwd, 'mine.yaml'),
        'resource: products\nfields:\n  name: Artikel\n  reference: Nr\n  price.salePrice: { from: Preis, number: { decimal: "," } }\n',
      );
      writeFileSync(join(cwd, 'in.csv'), 'Nr;Artikel;Preis\n0017;Käse;3,50\n');
      const ended = await storeport(
        ['import', 'products', 'in.csv', '--mapping', './mine.yaml', '--out', 'out'],
        { cwd, env: environmentOf(store) },
      );
      expect(ended.code).toBe(0);
      expect(store.records('products')).toMatchObject([
        { name: 'Käse', reference: '0017', price: { salePrice: 3.5 } },
      ]);
    } finally {
      await store.close();
    }
  });

  test('--sandbox needs no settings', async () => {
    const { cwd } = cli;
    const ended = await storeport(['import', 'products', sample('native-products.csv'), '--sandbox'], {
      cwd,
    });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('(a sandbox that ends with this command)');
  });
});
