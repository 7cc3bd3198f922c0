import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonObject, noValueIn } from '../../../src/model/index.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { HOSTILE } from '../../contract/values.ts';
import { environmentOf, readReports, readTable, storeport, temporaryFolder } from '../../support/run.ts';
import { openSandbox } from '../../support/sandbox/open-sandbox.ts';
import { PRODUCT } from '../../support/sandbox/payloads.ts';

/** Products with a text in every field that can have one. */
function everywhere(text: string, n: number): JsonObject {
  return {
    ...{ name: text, description: text, html: text, source: text, model: text, type: text },
    reference: `${text.trim()} ${n}`,
    tags: [text, `${text}${n}`],
    collections: [text, { [text]: [text, n] }],
    seo: { title: text, description: text, keywords: [text] },
    quantity: { instock: -n, unit: text },
    brand: { name: text, slug: null },
    shipping: { [text]: { zones: [text, [], {}] } },
    images: [{ src: `https://img.example.com/${n}.jpg`, title: text }],
    options: [{ name: text, style: text, values: [{ value1: text }, {}] }],
    variants: [{ name: text, option1: { value1: text }, price: { salePrice: 0.1 + n } }, text],
    translates: [{ language: text, properties: [{ name: text, value: text }, { value: null }] }],
    currencies: [{ currency: text, properties: [{ name: text, value: { [text]: 1e21 } }] }],
    bookingProps: { pickCountries: [text], extraInfo: [{ name: text }], priceBy: text, guest: { min: 1e-7 } },
  };
}

const EMPTY: JsonObject = {
  ...{ name: 'Nothing', reference: 'empty', tags: [], images: [], collections: [''], variants: [{}] },
  ...{ brand: {}, sizes: { weight: '', volume: null }, options: [{ name: '', values: [] }] },
};

/** Removes empty values, since an empty cell is the same as a missing field. */
const NOT_SAYABLE: JsonObject = { description: '', html: ' \n', price: {}, seo: { title: '' } };

/** Payloads that the store received, in the order of the references. */
function recordsOf(sandbox: Sandbox): JsonObject[] {
  const records = sandbox.records('products') as JsonObject[];
  return records
    .map(({ _id, slug, createdAt, updatedAt, ...sent }) => sent)
    .sort((a, b) => (String(a.reference) < String(b.reference) ? -1 : 1));
}

describe('products from one store to another', () => {
  test('exported products are identical in another store and when reimported, whatever their texts', async () => {
    const [from, to] = [await openSandbox(), await openSandbox()];
    // A name that is a word for "no value" is refused.
    const texts = HOSTILE.filter((text) => text.trim() !== '' && noValueIn(text.trim()) === undefined);
    const whole = [{ ...PRODUCT }, ...texts.map(everywhere), EMPTY];
    for (const product of [...whole.slice(0, -1), { ...EMPTY, ...NOT_SAYABLE }])
      expect((await from.post('/api/products/create', product)).json).toMatchObject({ status: 'success' });
    const before = recordsOf(from);
    const cwd = temporaryFolder();

    const exported = await storeport(['export', 'products', '--out', 'p.csv'], {
      cwd,
      env: environmentOf(from),
    });
    expect(exported).toMatchObject({ code: 0, stdout: `Exported ${whole.length} products to p.csv.\n` });
    expect(exported.stderr).toMatch(/^Warning: the API document names \/api\/products /);
    expect(exported.stderr).toContain(
      `no column shows slug (${whole.length} items), createdAt (${whole.length} items), updatedAt`,
    );
    const cells = readTable(join(cwd, 'p.csv')).flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^(?:[=@\t\r＝]|-$)/.test(cell))).toEqual([]);

    const create = ['import', 'products', 'p.csv', '--mode', 'create', '--out', 'created'];
    expect((await storeport(create, { cwd, env: environmentOf(to) })).code).toBe(0);
    expect(readReports(join(cwd, 'created')).summary.outcomes).toEqual({ created: whole.length });
    const { description, html, price, seo, ...rest } = { ...EMPTY, ...NOT_SAYABLE };
    const sayable = before.map((record) => (record.reference === EMPTY.reference ? rest : record));
    expect(recordsOf(to)).toEqual(sayable);

    // With their `_id` they are the records of the first store: none is new, and none has changed.
    const update = ['import', 'products', 'p.csv', '--out', 'updated'];
    expect((await storeport(update, { cwd, env: environmentOf(from) })).code).toBe(0);
    expect(readReports(join(cwd, 'updated')).summary.outcomes).toEqual({ updated: whole.length });
    expect(recordsOf(from)).toEqual(before);
  });

  test('a formula in errors.csv is restored once, by the import that accepts it', async () => {
    const sandbox = await openSandbox();
    const cwd = temporaryFolder();
    const run = (file: string, out: string) =>
      storeport(['import', 'products', file, '--out', out], { cwd, env: environmentOf(sandbox) });
    writeFileSync(
      join(cwd, 'in.csv'),
      `name,reference,description,price.salePrice\n'=1+1,''=k,"''=HYPERLINK(""x"")",five\n`,
    );
    expect((await run('in.csv', 'first')).code).toBe(1);
    const errors = readFileSync(join(cwd, 'first', 'errors.csv'), 'utf8');
    expect(errors).toContain(`\n'=1+1,''=k,"''=HYPERLINK(""x"")",five,`);
    expect(readReports(join(cwd, 'first')).results[0]?.key).toBe("''=k");
    writeFileSync(join(cwd, 'fixed.csv'), errors.replace('five', '5'));
    expect((await run('fixed.csv', 'second')).code).toBe(0);
    expect(recordsOf(sandbox)).toEqual([
      { name: '=1+1', reference: "'=k", description: `'=HYPERLINK("x")`, price: { salePrice: 5 } },
    ]);
  });
});
