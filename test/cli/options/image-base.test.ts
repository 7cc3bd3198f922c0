import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();

const BASE = 'https://shop.example.com/media/catalog/product';

const run = (args: string[], env: Record<string, string> = {}) => cli.runWith(args, { env });

const { writeLines: write } = cli;

const imagesInStore = () => cli.products().map(({ images }) => images as JsonObject[] | undefined);

const MAGENTO = [
  'sku,store_view_code,attribute_set_code,product_type,name,base_image,base_image_label,additional_images',
  'POT,,Default,simple,Tea pot,/p/o/pot.jpg,Front,"/p/o/lid off.jpg,https://img.example.com/pot.jpg"',
  'CUP,,Default,simple,Tea cup,no_selection,,',
];

test('images with only a path are omitted and counted, with a hint', async () => {
  write('magento.csv', ...MAGENTO);
  const ended = await run(['import', 'products', 'magento.csv']);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain('2 images were left out: the file has paths such as "/p/o/pot.jpg"');
  // The image folder of Magento: any other would give addresses without an image.
  expect(ended.stderr).toContain(`--image-base ${BASE}.`);
  expect(imagesInStore()).toEqual([[{ src: 'https://img.example.com/pot.jpg' }], undefined]);
});

test('quotes around an address are removed, and text that only holds an address is not called a path', async () => {
  write(
    'magento.csv',
    MAGENTO[0] as string,
    'POT,,Default,simple,Tea pot,"""https://img.example.com/pot.jpg""",,',
    'CUP,,Default,simple,Tea cup,<https://img.example.com/cup.jpg>,,',
    'PAN,,Default,simple,Pan,"=IMAGE(""https://img.example.com/pan.jpg"")",,',
  );
  const ended = await run(['import', 'products', 'magento.csv', '--image-base', BASE]);
  expect(ended.stderr).toContain(
    '1 image was left out: the file has other text around their addresses, such as "=IMAGE(',
  );
  expect(imagesInStore()).toEqual([
    [{ src: 'https://img.example.com/pot.jpg' }],
    [{ src: 'https://img.example.com/cup.jpg' }],
    undefined,
  ]);
});

test('--image-base builds addresses with one slash, in the order of the file', async () => {
  write('magento.csv', ...MAGENTO);
  const ended = await run(['import', 'products', 'magento.csv', '--image-base', `${BASE}/`]);
  expect(ended.stderr).not.toContain('left out');
  expect(imagesInStore()).toEqual([
    [
      { src: `${BASE}/p/o/pot.jpg`, title: 'Front' },
      { src: `${BASE}/p/o/lid%20off.jpg` },
      { src: 'https://img.example.com/pot.jpg' },
    ],
    undefined,
  ]);
});

test.each([
  ['the native form', 'native.csv', ['name,reference,images.0.src', 'Pot,POT,pot.jpg'], []],
  [
    'objects that are payloads',
    'native.ndjson',
    ['{"name":"Pot","reference":"POT","images":[{"src":"pot.jpg"}]}'],
    [],
  ],
  ['a mapping', 'shop.csv', ['SKU,Title,Picture', 'POT,Pot,pot.jpg'], ['--mapping', './shop.yaml']],
])('--image-base applies to %s, also from the environment', async (_, file, lines, args) => {
  write('shop.yaml', 'resource: products', 'fields: { reference: SKU, name: Title, images.0.src: Picture }');
  write(file, ...lines);
  const command = ['import', 'products', file, ...args];
  expect((await run(command)).code).toBe(1);
  expect((await run(command, { STOREPORT_IMAGE_BASE: BASE })).code).toBe(0);
  expect(imagesInStore()).toEqual([[{ src: `${BASE}/pot.jpg` }]]);
});

test.each([
  ['WooCommerce', 'ID,Type,SKU,Name,Published,Regular price,Images', '1,simple,POT,Pot,1,5,pot.jpg'],
  ['PrestaShop', 'Product ID;Active (0/1);Name *;Reference #;Image URLs (x,y,z...)', '1;1;Pot;POT;pot.jpg'],
])('the preset of %s omits an image path, and uses it with --image-base', async (_, header, row) => {
  write('shop.csv', header, row);
  const without = await run(['import', 'products', 'shop.csv']);
  expect([without.code, without.stderr]).toEqual([0, expect.stringContaining('1 image was left out')]);
  expect(imagesInStore()).toEqual([undefined]);
  await run(['import', 'products', 'shop.csv', '--image-base', BASE]);
  expect(imagesInStore()).toEqual([[{ src: `${BASE}/pot.jpg` }]]);
});

test('a retried run keeps its --image-base', async () => {
  cli.sandbox.misbehave({ reset: '#1-3@create' });
  write('magento.csv', ...MAGENTO.slice(0, 2));
  await run(['import', 'products', 'magento.csv', '--image-base', BASE]);
  cli.sandbox.misbehave({});
  await run(['run', 'resolve', 'last', '--all', '--not-there']);
  await run(['run', 'retry', 'last']);
  expect(imagesInStore()[0]).toMatchObject([{ src: `${BASE}/p/o/pot.jpg` }, {}, {}]);
});

test('clean writes complete image addresses', async () => {
  write('magento.csv', ...MAGENTO);
  await run(['clean', 'products', 'magento.csv', '--image-base', BASE, '--out', 'clean.csv']);
  expect(readFileSync(join(cli.cwd, 'clean.csv'), 'utf8')).toContain(`${BASE}/p/o/pot.jpg`);
});

test.each(['shop.example.com/media', 'ftp://shop.example.com', 'https://', 'https://shop.example.com/?a=1'])(
  '--image-base refuses a value that is not the web address of a folder: %s',
  async (base) => {
    const ended = await run(['validate', 'products', 'missing.csv', '--image-base', base]);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('--image-base takes the web address'),
    ]);
  },
);
