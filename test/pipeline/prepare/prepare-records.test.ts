import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInputs } from '../../../src/pipeline/index.ts';
import { prepareRecords } from '../../../src/pipeline/prepare/prepare-records.ts';
import { products } from '../../../src/resources/products.ts';
import { openFilesBelow } from '../../support/open-files.ts';
import { temporaryFolder } from '../../support/run.ts';

test.runIf(process.platform === 'linux').each([
  ['was read to its end', Number.POSITIVE_INFINITY],
  ['is left early', 5000],
])('keys need no file while records are planned, nor when the source %s', async (_when, most) => {
  const [folder, spillFolder] = [temporaryFolder(), temporaryFolder()];
  const rows = Array.from({ length: 10_000 }, (_, n) => `Product ${n},ref-${n}`);
  writeFileSync(join(folder, 'in.csv'), `name,reference\n${rows.join('\n')}\n`);
  const shared = { resource: products, mode: 'create' } as const;
  const inputs = await openInputs({
    ...shared,
    files: [join(folder, 'in.csv')],
    mapping: undefined,
    constants: {},
    read: {},
    onWarning: () => {},
  });
  const options = { dryRun: true, offset: 0, maskContacts: false, fromSettings: {}, onPrepared: () => {} };
  let planned = 0;
  let mostOpen = 0;
  for await (const batch of prepareRecords(inputs, { ...shared, ...options, spillFolder })) {
    planned += batch.length;
    mostOpen = Math.max(mostOpen, openFilesBelow(spillFolder).length);
    if (planned >= most) break;
  }
  expect(mostOpen).toBe(0);
  expect(openFilesBelow(spillFolder)).toEqual([]);
  expect(readdirSync(spillFolder)).toEqual([]);
});

test('a group whose rows are apart is recognised even if an export has defused its key', async () => {
  const folder = temporaryFolder();
  const mapping = join(folder, 'mine.json');
  const fields = { name: 'Title', reference: 'SKU' };
  writeFileSync(mapping, JSON.stringify({ resource: 'products', group: { by: 'Handle' }, fields }));
  writeFileSync(join(folder, 'in.csv'), "Handle,Title,SKU\n'=a,A,1\nb,B,2\n=a,C,3\n''=a,D,4\n");
  const shared = { resource: products, mode: 'create' } as const;
  const inputs = await openInputs({
    ...{ ...shared, files: [join(folder, 'in.csv')], mapping, constants: {}, read: {} },
    onWarning: () => {},
  });
  const options = { dryRun: true, offset: 0, maskContacts: false, fromSettings: {}, onPrepared: () => {} };
  const codes: (string | undefined)[] = [];
  for await (const batch of prepareRecords(inputs, { ...shared, ...options, spillFolder: folder }))
    codes.push(...batch.map((each) => ('outcome' in each ? each.outcome.code : undefined)));
  expect(codes).toEqual(['group-split', undefined, undefined]);
});

test.each([
  [
    'update',
    { _id: 'i1' },
    { description: '', price: { salePrice: 5, comparePrice: null }, seo: { title: '' } },
  ],
  ['create', { Name: 'Pen', SKU: 'P1' }, { name: 'Pen', reference: 'P1', price: { salePrice: 5 } }],
] as const)(
  'a blank field is cleared by an update and left out by a create: %s',
  async (mode, own, payload) => {
    const folder = temporaryFolder();
    const cells = { ...own, Text: '', Price: '5', Old: ' ', Title: '' };
    writeFileSync(join(folder, 'in.csv'), `${Object.keys(cells).join()}\n${Object.values(cells).join()}\n`);
    const clear = (from: string) => ({ from, blank: 'clear' });
    const fields = {
      ...{ name: 'Name', reference: 'SKU', description: clear('Text'), 'seo.title': clear('Title') },
      ...{ 'price.salePrice': 'Price', 'price.comparePrice': clear('Old'), model: clear('Not there') },
    };
    const mapping = join(folder, 'mine.json');
    writeFileSync(mapping, JSON.stringify({ resource: 'products', fields }));
    const shared = { resource: products, mode };
    const inputs = await openInputs({
      ...{ ...shared, files: [join(folder, 'in.csv')], mapping, constants: {}, read: {} },
      onWarning: () => {},
    });
    const options = { dryRun: false, offset: 0, maskContacts: false, fromSettings: {}, onPrepared: () => {} };
    for await (const batch of prepareRecords(inputs, { ...shared, ...options, spillFolder: folder }))
      expect(batch.map(({ operation }) => [operation?.kind, operation?.payload])).toEqual([[mode, payload]]);
  },
);
