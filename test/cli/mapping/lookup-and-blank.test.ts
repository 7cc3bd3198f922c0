import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { readReports } from '../../support/run.ts';

const cli = cliForEachTest();

function write(file: string, text: string): void {
  writeFileSync(join(cli.cwd, file), text);
}

/** Runs a command on `in.csv`; returns the requests that the store received, and the reports. */
async function running(command: string, resource: string, text: string, ...more: string[]) {
  write('in.csv', text);
  const before = cli.sandbox.journal.length;
  const args = [command, resource, 'in.csv', '--out', 'out', ...more];
  const { code, stderr } = await cli.run(...args);
  const requests = cli.sandbox.journal
    .slice(before)
    .filter(({ kind }) => kind === 'create' || kind === 'update');
  const { results, summary } = readReports(join(cli.cwd, 'out'));
  return { code, stderr, requests, results, outcomes: summary.outcomes };
}

describe('lookup in records of earlier runs', () => {
  const SUPPLIERS = 'name,address1\nTidewater Mill,Mill Lane 2\nSmithy,Ford Row 1\n';
  const MAPPING = `resource: products
fields:
  name: Name
  reference: SKU
  supplier._id: { from: Supplier, lookup: { from: suppliers } }
`;
  const PRODUCTS = 'SKU,Name,Supplier\nP1,Pen,Tidewater Mill\nP2,Ink,Nobody\nP3,Cap,\n';

  test('a lookup in earlier runs gives the store id; a missing one is an issue, or left open by validate', async () => {
    write('mine.yaml', MAPPING);
    const early = await running('import', 'products', PRODUCTS, '--mapping', './mine.yaml');
    expect(early.results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['invalid', 'not-found'],
      ['invalid', 'not-found'],
      ['created', ''],
    ]);
    expect((await running('import', 'suppliers', SUPPLIERS)).outcomes).toEqual({
      created: 2,
    });

    const checked = await running('validate', 'products', PRODUCTS, '--mapping', './mine.yaml');
    expect(checked.outcomes).toEqual({ planned: 3 });
    expect(checked.stderr).toContain(
      'looks things up among the suppliers of earlier runs. This check contacts no store',
    );

    const sent = await running('import', 'products', PRODUCTS, '--mapping', './mine.yaml');
    expect(sent.outcomes).toEqual({ created: 1, invalid: 1, unchanged: 1 });
    expect(sent.results[1]).toMatchObject({
      code: 'not-found',
      field: 'supplier._id',
      message:
        'row 3, column "Supplier": no run has created "Nobody" among the suppliers of this store: import the suppliers first, or correct this cell',
    });
    const [mill] = cli.sandbox.records('suppliers') as JsonObject[];
    expect(stored('P1')).toMatchObject({ supplier: { _id: mill?._id } });
  });
});

function stored(wanted: string): JsonObject | undefined {
  return cli.products().find(({ reference }) => reference === wanted);
}

describe('blank: clear', () => {
  const MAPPING = `resource: products
fields:
  name: Name
  reference: SKU
  description: { from: Text, blank: clear }
  tags: { from: Tags, split: ",", blank: clear }
  price.salePrice: Price
  price.comparePrice: { from: Old, blank: clear }
  brand: { from: Brand, json: true, blank: clear }
`;
  const HEADER = 'SKU,Name,Text,Tags,Price,Old,Brand\n';
  const FULL = `${HEADER}P1,Pen,Fine,"a,b",5,9,"{""name"":""QI""}"\nP2,Ink,,,3,,\n`;

  test('blank: clear empties fields once, and only in records that had a value', async () => {
    write('mine.yaml', MAPPING);
    const mapping = ['--mapping', './mine.yaml'];
    const created = await running('import', 'products', FULL, ...mapping);
    expect(created.outcomes).toEqual({ created: 2 });
    expect(stored('P2')).toMatchObject({ price: { salePrice: 3 } });
    for (const field of ['description', 'tags', 'brand']) expect(stored('P2')).not.toHaveProperty(field);
    // Fields that were left out have nothing to clear.
    expect((await running('import', 'products', FULL, ...mapping)).outcomes).toEqual({ unchanged: 2 });

    const emptied = `${HEADER}P1,Pen,,,5,,\nP2,Ink,,,3,,\n`;
    const cleared = await running('import', 'products', emptied, ...mapping);
    expect(cleared.outcomes).toEqual({ updated: 1, unchanged: 1 });
    expect(cleared.requests).toHaveLength(1);
    expect(stored('P1')).toMatchObject({
      ...{ name: 'Pen', description: '', tags: [], price: { salePrice: 5 } },
    });
    expect(stored('P1')).not.toHaveProperty('brand');
    expect((await running('import', 'products', emptied, ...mapping)).requests).toEqual([]);
  });
});
