import { describe, expect, test } from 'vitest';
import { gatherExport } from './read-export.ts';

const PRESET = 'shopify-product-updates';

/** The payload and warnings of the rows of one product. An update needs no required fields. */
async function changeOf(...rows: Record<string, string>[]) {
  const [change, ...others] = await gatherExport(PRESET, ...rows);
  expect(others).toEqual([]);
  return { payload: change?.payload ?? {}, warnings: change?.warnings, issues: change?.issues };
}

const POT = { Handle: 'tea-pot', 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' };

test('a file of prices changes the price and nothing else', async () => {
  const cells = { 'Variant Price': '20', 'Variant Compare At Price': '25', 'Cost per item': '8' };
  expect((await changeOf({ ...POT, ...cells })).payload).toEqual({
    reference: 'tea-pot',
    price: { salePrice: 20, comparePrice: 25, buyingPrice: 8 },
  });
});

test('the names of the new header give the same change', async () => {
  const cells = { 'URL handle': 'tea-pot', Price: '20', 'Compare-at price': '25', 'Inventory quantity': '3' };
  expect((await changeOf(cells)).payload).toEqual({
    reference: 'tea-pot',
    price: { salePrice: 20, comparePrice: 25 },
    quantity: { instock: 3 },
  });
});

test('a compare price that is not higher, or has no price beside it, is left out', async () => {
  expect(
    (await changeOf({ ...POT, 'Variant Price': '20', 'Variant Compare At Price': '20' })).payload.price,
  ).toEqual({
    salePrice: 20,
  });
  expect((await changeOf({ ...POT, 'Variant Compare At Price': '20' })).payload).toEqual({
    reference: 'tea-pot',
  });
  expect((await changeOf({ ...POT, 'Cost per item': '8' })).payload).toEqual({ reference: 'tea-pot' });
});

test('an empty cell leaves the field as it is', async () => {
  const cells = { 'Variant Price': '', 'Variant Inventory Qty': '', 'Image Src': '', 'Image Alt Text': '' };
  expect((await changeOf({ ...POT, ...cells })).payload).toEqual({ reference: 'tea-pot' });
});

describe('stock', () => {
  test('below zero is taken as it is', async () => {
    expect((await changeOf({ ...POT, 'Variant Inventory Qty': '-2' })).payload.quantity).toEqual({
      instock: -2,
    });
  });

  test.each(['Available', 'Available (not editable)'])(
    'of the column %s is the sum of all locations',
    async (name) => {
      const at = (Location: string, stock: string) => ({
        ...POT,
        Location,
        [name]: stock,
        'On hand (current)': '9',
      });
      expect(
        (await changeOf(at('Quay', '4'), at('Mill', 'not stocked'), at('Barn', '3'))).payload.quantity,
      ).toEqual({
        instock: 7,
      });
      expect((await changeOf(at('Mill', 'Not stocked'))).payload).not.toHaveProperty('quantity');
    },
  );

  test('that is not a number is an issue', async () => {
    expect((await changeOf({ ...POT, 'Variant Inventory Qty': 'many' })).issues).toMatchObject([
      { code: 'not-a-number', column: 'Variant Inventory Qty' },
    ]);
  });
});

describe('a product with options', () => {
  const variant = (size: string, cells: Record<string, string>) => ({
    Handle: 'tee',
    'Option1 Name': 'Size',
    'Option1 Value': size,
    ...cells,
  });

  test.each([[{ 'Variant Price': '20' }], [{ 'Variant Inventory Qty': '3' }], [{ Available: '3' }]])(
    'keeps its prices, stock and variants, with a warning: %j',
    async (cells) => {
      const { payload, warnings } = await changeOf(variant('S', cells), variant('M', cells));
      expect(payload).toEqual({ reference: 'tee' });
      expect(warnings).toEqual([expect.stringContaining('whole product export')]);
    },
  );

  test('gets its images', async () => {
    const { payload, warnings } = await changeOf(
      variant('S', { 'Image Src': 'https://img.example.com/1.jpg', 'Image Alt Text': 'Front' }),
    );
    expect(payload.images).toEqual([{ src: 'https://img.example.com/1.jpg', title: 'Front' }]);
    expect(warnings).toBeUndefined();
  });
});

describe('images', () => {
  const image = (number: number, cells: Record<string, string> = {}) => ({
    Handle: 'tea-pot',
    'Image Src': `https://img.example.com/${number}.jpg`,
    ...cells,
  });

  test('of all rows replace those of the product, with their texts', async () => {
    const { payload, warnings } = await changeOf(
      image(1, { 'Image Alt Text': 'Front' }),
      image(2, { 'Image Alt Text': '' }),
      image(1, { 'Image Alt Text': 'Again' }),
    );
    expect(payload.images).toEqual([
      { src: 'https://img.example.com/1.jpg', title: 'Front' },
      { src: 'https://img.example.com/2.jpg' },
    ]);
    expect(warnings).toBeUndefined();
  });

  test('of a file without the texts cause a warning, since an update loses them', async () => {
    const { payload, warnings } = await changeOf(image(1), image(2));
    expect(payload.images).toHaveLength(2);
    expect(warnings?.[0]).toContain('Image Alt Text');
  });
});

test('rows of one handle are one change', async () => {
  const changes = await gatherExport(PRESET, POT, POT, { ...POT, Handle: 'cup' });
  expect(changes.map(({ payload }) => payload.reference)).toEqual(['tea-pot', 'cup']);
});
