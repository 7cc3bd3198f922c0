import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../src/map/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { columnsOfObjects, draftMapping, writeYaml } from '../../src/suggest/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { valueRules } from '../support/value-rules.ts';

/** Made once: it takes longer than a suggestion. */
const dictionary = createDictionary(LANGUAGES);

/** Suggests a mapping for a CSV text. */
function draftFor(text: string, resource = 'products') {
  const [header = [], ...rows] = parse(text, { relax_column_count: true }) as string[][];
  const columns = header.map((name, index) => ({ name, cells: rows.map((row) => row[index] ?? '') }));
  return draftMapping(resource, { columns }, dictionary).draft;
}

/** The columns of each field. */
function columnsIn(text: string, resource?: string): Record<string, string> {
  const { fields } = draftFor(text, resource);
  return Object.fromEntries(fields.map(({ field, columns }) => [field, columns.join(' + ')]));
}

function ruleOf(text: string, field: string): unknown {
  return valueRules(draftFor(text).fields.find((each) => each.field === field)?.rule);
}

const PLAIN = `SKU,Product Title,Body HTML,Price,Qty,Manufacturer,Picture,Tags
PEN-01,Fountain pen,<p>Black</p>,39.00,12,Quiet Inkwell,https://shop.example.com/pen.jpg,"writing, gift"
INK-07,Blue ink,<p>Blue</p>,9.50,3,Tidewater Mill,https://shop.example.com/ink.jpg,writing
`;

describe('products', () => {
  test('a total price with tax is the price, beside one without tax', () => {
    const text =
      'Nombre,SKU,Precio (sin IVA),Precio total (IVA incl.)\nTaza,T-1,12.3967,15.00\nPlato,P-2,9.0909,11.00\n';
    expect(columnsIn(text)).toMatchObject({ 'price.salePrice': 'Precio total (IVA incl.)' });
  });

  test('a Japanese warehouse flag, list price, picture and description are read', () => {
    const text = `商品番号,商品名,販売価格,表示価格,在庫数,商品画像URL1,PC用商品説明文,倉庫指定
T1,緑茶,1080,1500,25,https://img.example.com/1.jpg,<p>静岡産</p>,0
T2,紅茶,980,1200,4,https://img.example.com/2.jpg,<p>紅茶です</p>,1
`;
    expect(columnsIn(text)).toMatchObject({
      'price.comparePrice': '表示価格',
      images: '商品画像URL{n}',
      html: 'PC用商品説明文',
      status: '倉庫指定',
    });
    expect(ruleOf(text, 'status')).toEqual([
      { const: 'DRAFT', when: { 倉庫指定: { 'is-not': ['0', ''] } } },
      { const: 'PUBLISH' },
    ]);
  });

  test('a word for visible is on sale, in other languages too', () => {
    const text = 'Kod,Nazwa,Widoczność\nT1,Kubek,widoczny\nT2,Talerz,ukryty\n';
    expect(ruleOf(text, 'status')).toMatchObject({ map: { widoczny: 'PUBLISH', ukryty: 'DRAFT' } });
  });

  test('columns are found by their names and their cells', () => {
    expect(columnsIn(PLAIN)).toEqual({
      reference: 'SKU',
      name: 'Product Title',
      html: 'Body HTML',
      'price.salePrice': 'Price',
      'quantity.instock': 'Qty',
      'brand.name': 'Manufacturer',
      images: 'Picture',
      tags: 'Tags',
    });
    expect(ruleOf(PLAIN, 'tags')).toEqual({ from: 'Tags', split: ',' });
  });

  test('a sale price counts only where it is lower, and the regular price is compared with it', () => {
    const text = 'SKU,Name,Sale price,Regular price\nA,Pen,30,39\nB,Ink,0,9\n';
    expect(ruleOf(text, 'price.salePrice')).toEqual([
      {
        from: 'Sale price',
        number: true,
        when: { 'Sale price': { empty: false, above: 0, below: 'Regular price' } },
      },
      { from: 'Regular price', number: true },
    ]);
    expect(columnsIn(text)['price.comparePrice']).toBe('Regular price');
  });

  test('a flag becomes a status with both of its words, and an unknown word a draft', () => {
    expect(ruleOf('SKU,Name,Published\nA,Pen,1\nB,Ink,1\n', 'status')).toEqual({
      from: 'Published',
      map: { 1: 'PUBLISH', 0: 'DRAFT' },
      default: 'DRAFT',
      else: 'DRAFT',
    });
  });

  test.each(['Nombre Completo', 'Nome completo', 'Full name'])('a column %s is the name', (name) => {
    expect(columnsIn(`SKU,${name}\nPEN-01,Fountain pen\n`).name).toBe(name);
  });

  test('rows with one handle are one product with variants and options', () => {
    const text = `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price
tee,T-shirt,Size,S,T-S,19
tee,,,M,T-M,19
cap,Cap,Title,Default Title,CAP,12
`;
    const draft = draftFor(text);
    expect(draft.group).toEqual({ by: 'Handle' });
    expect(columnsIn(text)).toMatchObject({ reference: 'Handle', name: 'Title', variants: 'Variant SKU' });
    expect(ruleOf(text, 'options')).toMatchObject({
      each: { n: [1] },
      when: { 'Option{n} Value': { 'is-not': ['Default Title', ''] } },
    });
  });

  test('rows without a name continue the row above', () => {
    const text = 'name,sku,price,colour\nTee,T-1,19,red\n,T-2,19,blue\nCap,C-1,9,red\n';
    expect(draftFor(text).group).toEqual({ by: 'name', empty: 'continues' });
  });

  test('variations that name their product are grouped with it', () => {
    const text =
      'ID,SKU,Name,Parent,Price\n1,TEE,Tee,,\n2,TEE-S,Tee S,TEE,19\n3,TEE-M,Tee M,TEE,19\n4,CAP,Cap,,9\n';
    expect(draftFor(text).group).toEqual({ name: 'SKU', parent: 'Parent' });
    const byId = 'ID,SKU,Name,Parent,Price\n1,,Tee,,\n2,,Tee S,id:1,19\n3,,Tee M,id:1,19\n4,,Cap,,9\n';
    expect(draftFor(byId).group).toEqual({ name: { template: 'id:{ID}' }, parent: 'Parent' });
  });

  test('the row of the product itself is recognised by its type, and is no variant', () => {
    const text = `handleId,fieldType,name,optionName1,optionDescription1,price
tee,Product,Tee,Size,S;M,19
tee,Variant,,,S,
tee,Variant,,,M,
cap,Product,Cap,,,9
`;
    expect(draftFor(text).group).toEqual({ by: 'handleId', lead: { fieldType: 'Product' } });
    expect(ruleOf(text, 'variants')).toMatchObject({ each: 'child' });
    expect(ruleOf(text, 'options')).toMatchObject({ fields: { values: { each: 'child' } } });
  });

  test('the options of a product are those of its variations, not the list of them in its own row', () => {
    const text = `SKU,Name,Parent,Attribute 1 name,Attribute 1 value(s)
TEE,Tee,,Size,"S, M"
TEE-S,Tee S,TEE,Size,S
TEE-M,Tee M,TEE,Size,M
`;
    expect(ruleOf(text, 'options')).toMatchObject({ fields: { values: { each: 'child' } } });
  });

  test('a parent called 0 is none', () => {
    const text = 'ID,Sku,Title,Parent Product ID\n21,TEE,Tee,0\n22,TEE-S,Tee S,21\n23,CAP,Cap,0\n';
    expect(draftFor(text).group).toEqual({
      name: 'ID',
      parent: { from: 'Parent Product ID', when: { 'Parent Product ID': { 'is-not': '0' } } },
    });
    expect(columnsIn(text).reference).toBe('Sku');
  });

  test('products with handles of their own are not grouped by a name that two of them have', () => {
    const text = 'Handle,Title,Variant SKU,Qty\na1,Cart,A1,1\na2,Cart,A2,2\na3,Hammock,A3,3\n';
    expect(draftFor(text).group).toEqual({ by: 'Handle' });
  });

  test('the price of a product is not the zero in its own row', () => {
    const text = 'slug,name,option1_value,price\ntee,Tee,,0\ntee,,S,19\ntee,,M,21\ncap,Cap,,9\n';
    expect(ruleOf(text, 'price.salePrice')).toEqual({
      from: 'price',
      number: true,
      row: [{ price: { above: 0 } }, 'price'],
    });
  });

  test('a zero with a currency is no price either', () => {
    const grouped =
      'slug,name,option1_value,price\ntee,Tee,,0.00 €\ntee,,S,19 €\ntee,,M,21 €\ncap,Cap,,9 €\n';
    expect(ruleOf(grouped, 'price.salePrice')).toMatchObject({
      row: [{ price: { matches: '[1-9]' } }, 'price'],
    });
    const reduced = 'SKU,Name,Sale price,Regular price\nA,Pen,30 €,39 €\nB,Ink,0 €,9 €\n';
    expect(ruleOf(reduced, 'price.salePrice')).toMatchObject([
      { when: { 'Sale price': { matches: '[1-9]' } } },
      { from: 'Regular price' },
    ]);
  });

  test('pictures in numbered columns are taken from each row of a product', () => {
    const text = `slug,name,option1_value,image1_src,image2_src
tee,Tee,S,https://shop.example.com/1.jpg,https://shop.example.com/2.jpg
tee,Tee,M,https://shop.example.com/3.jpg,
`;
    expect(ruleOf(text, 'images')).toMatchObject([
      { each: 'row', fields: { src: 'image1_src' } },
      { each: 'row', fields: { src: 'image2_src' } },
    ]);
  });

  test('a file of variations has the name of the product from their parent', () => {
    const text = 'parent_sku,parent_name,sku,price\nTEE,Tee,T-S,19\nTEE,Tee,T-M,19\nCAP,Cap,C-1,9\n';
    expect(columnsIn(text)).toMatchObject({ reference: 'parent_sku', name: 'parent_name', variants: 'sku' });
  });

  test('lists of values in numbered columns are options, and their combinations variants', () => {
    const text = `TITLE,PRICE,VARIATION 1 NAME,VARIATION 1 VALUES
Tee,19,Size,"S,M,L"
Cap,9,Colour,"red,blue"
`;
    expect(ruleOf(text, 'options')).toMatchObject({
      fields: { name: { from: 'VARIATION {n} NAME' }, values: { each: { value: { split: ',' } } } },
    });
    expect(ruleOf(text, 'variants')).toMatchObject({
      each: { option1: { from: 'VARIATION 1 VALUES', split: ',' } },
      fields: { 'option1.value1': '{option1}' },
    });
    const attributes = text.replaceAll('VARIATION', 'Attribute');
    expect(ruleOf(attributes, 'options')).toBeDefined();
    expect(ruleOf(attributes, 'variants')).toBeUndefined();
  });

  test('a unit in the name of the weight counts, not the unit in which it is shown', () => {
    const text = 'SKU,Name,Variant Grams,Variant Weight Unit\nA,Pen,120,kg\nB,Ink,300,kg\n';
    expect(ruleOf(text, 'sizes.weight.unit')).toEqual({ const: 'g', when: 'Variant Grams' });
    const other = 'SKU,Name,Weight,Weight Unit\nA,Pen,0.12,kg\nB,Ink,0.3,lb\n';
    expect(ruleOf(other, 'sizes.weight.unit')).toEqual({ from: 'Weight Unit', when: 'Weight' });
  });

  test('a unit behind the name of a measure belongs to it, and behind a price it does not', () => {
    const text = 'SKU,Name,Gewicht_kg,Price kg\nA,Pen,"0,120",3\nB,Ink,"0,3",4\n';
    expect(columnsIn(text)).toMatchObject({ 'sizes.weight.value': 'Gewicht_kg' });
    expect(ruleOf(text, 'sizes.weight.unit')).toEqual({ const: 'kg', when: 'Gewicht_kg' });
    expect(columnsIn(text)).not.toHaveProperty('price.salePrice');
  });

  test('a word for current does not change what a column means', () => {
    expect(columnsIn('SKU,Nombre,Stock Actual\nA,Pluma,3\nB,Tinta,12\n')).toMatchObject({
      'quantity.instock': 'Stock Actual',
    });
  });

  test('categories without a delimiter are not cut', () => {
    expect(ruleOf('SKU,Name,Category\nA,Pen,Pens\nB,Ink,Ink\n', 'collections')).toEqual({
      all: ['Category'],
    });
  });

  test('numbered columns with lists as JSON are read each', () => {
    const text = `SKU,Name,Category 1,Category 2\nA,Pen,"[""Pens"",""New""]","[""Sale""]"\nB,Ink,"[""Ink""]",[]\n`;
    expect(ruleOf(text, 'collections')).toEqual({
      all: [
        { from: 'Category 1', json: true },
        { from: 'Category 2', json: true },
      ],
    });
  });

  test.each([
    ['words', 'many', undefined, 'its cells do not fit its name'],
    ['zeros', '0.00', 'sizes.weight.value', 'all of its cells are zero'],
  ])('a weight of %s is left out, with the reason', (_what, cell, field, why) => {
    const { leftOut } = draftFor(`SKU,Name,Weight\nA,Pen,${cell}\nB,Ink,${cell}\n`);
    expect(leftOut).toEqual([{ column: 'Weight', field, why, sample: cell }]);
  });

  test('a price of zeros is left out, and the other one is used', () => {
    const text = 'SKU,Name,Price,Retail price\nA,Pen,0.00,3\nB,Ink,0.00,5\n';
    expect(columnsIn(text)).toEqual({ reference: 'SKU', name: 'Name', 'price.salePrice': 'Retail price' });
  });

  test('words between the numbers of a stock are no quantity, and those for no stock are zero', () => {
    const text = 'SKU,Name,inventory\nA,Pen,12\nB,Ink,InStock\nC,Cap,OutOfStock\n';
    expect(ruleOf(text, 'quantity.instock')).toEqual([
      { from: 'inventory', number: true, when: { inventory: { 'is-not': ['InStock', 'OutOfStock'] } } },
      { const: 0, when: { inventory: ['OutOfStock'] } },
    ]);
  });

  test('of columns with one name none is used', () => {
    const draft = draftFor('SKU,Name,Price,price\nA,Pen,3,4\nB,Ink,5,6\n');
    expect(draft.fields.map(({ field }) => field)).toEqual(['name', 'reference']);
    expect(draft.leftOut).toContainEqual({ column: 'Price', why: '2 columns have this name', sample: '3' });
  });

  test('a name that never repeats is the key where there is no other, with a doubt', () => {
    const [field] = draftFor('Name,Price\nPen,3\nInk,4\n').fields.filter(
      (each) => each.field === 'reference',
    );
    expect(field).toMatchObject({ columns: ['Name'], score: 0.6, doubt: expect.stringContaining('unique') });
    expect(columnsIn('Name,Price\nPen,3\nPen,4\n').reference).toBeUndefined();
  });

  test('a key that repeats in one category only is no group', () => {
    expect(
      draftFor('SKU,Name,Category\nA,Pen,Writing\nB,Ink,Writing\nC,Cap,Clothes\n').group,
    ).toBeUndefined();
  });
});

describe('nothing harmful is guessed', () => {
  test.each([
    ['a cost', 'Cost price'],
    ['a wholesale price', 'Wholesale price'],
    ['a minimum', 'Minimum price'],
    ['a recommended price', 'MSRP'],
  ])('%s is no sale price', (_, name) => {
    expect(columnsIn(`SKU,Name,${name}\nA,Pen,20\nB,Ink,5\n`)['price.salePrice']).toBeUndefined();
  });

  test('texts of their own in each record are offered as the name, and not used without a question', () => {
    const offerIn = (text: string) =>
      draftFor(text).leftOut.find(({ field, rule }) => field === 'name' && rule !== undefined);
    const text =
      'Item No.,Item Description,Family,Unit Price\n10,Bicycle,Ride,400\n11,Touring bicycle,Ride,410\n';
    expect(columnsIn(text).name).toBeUndefined();
    expect(offerIn(text)).toMatchObject({ column: 'Item Description', score: 0.8, sample: 'Bicycle' });
    expect(offerIn('Código,Descrição\n10,Bicicleta\n11,Caneca\n')).toMatchObject({ column: 'Descrição' });
    expect(offerIn('SKU,Remarks\n10,same\n11,same\n12,same\n')).toBeUndefined();
    expect(offerIn(`SKU,Description\n10,${'long '.repeat(40)}\n11,Caneca\n`)).toBeUndefined();
    expect(offerIn('SKU,Product name,Description\n10,Mug,Holds coffee\n')).toBeUndefined();
  });

  test('a price without tax is not used beside one with tax', () => {
    const columns = columnsIn('SKU,Name,price_net,price_gross\nA,Pen,100.00,119.00\nB,Ink,10.00,11.90\n');
    expect(columns['price.salePrice']).toBe('price_gross');
  });

  test('of prices in several currencies none is chosen', () => {
    const draft = draftFor('SKU,Name,Price EUR,Price USD\nA,Pen,10,12\nB,Ink,5,6\n');
    expect(draft.fields.some(({ field }) => field === 'price.salePrice')).toBe(false);
    expect(draft.leftOut.map(({ column }) => column)).toEqual(
      expect.arrayContaining(['Price EUR', 'Price USD']),
    );
  });

  test('a flag called "In stock?" is no quantity', () => {
    expect(columnsIn('SKU,Name,In stock?\nA,Pen,1\nB,Ink,0\n')['quantity.instock']).toBeUndefined();
  });

  test('a code that repeats or is missing is no certain key', () => {
    const columns = columnsIn('Code,Name,ID\nA,Pen,1\nA,Ink,2\n,Cap,3\nA,Mug,4\n');
    expect(columns.reference).toBe('ID');
  });

  test('the code of a parent is no key', () => {
    expect(columnsIn('Parent SKU,Name\nA,Pen\nB,Ink\n').reference).toBeUndefined();
  });

  test('numbers that can be read in two ways are left out, with the reason', () => {
    const draft = draftFor('SKU,Name,Price\nA,Pen,"1,299"\nB,Ink,"2,500"\n');
    expect(draft.leftOut).toContainEqual(
      expect.objectContaining({
        column: 'Price',
        field: 'price.salePrice',
        why: expect.stringContaining('two ways'),
      }),
    );
  });

  test('a password is never taken', () => {
    const draft = draftFor(
      'First Name,Last Name,Email,Password\nAnn,Leigh,ann@example.com,s3cret\n',
      'customers',
    );
    expect(draft.fields.some(({ columns }) => columns.includes('Password'))).toBe(false);
    expect(JSON.stringify(draft)).not.toContain('s3cret');
  });
});

describe('other resources', () => {
  test('customers with their address', () => {
    const text = `First Name,Last Name,Email,Address 1,Address 2,City,Zip,Country,Newsletter
Ann,Leigh,ann@example.com,Mill Lane 2,Flat 1,Whitby,YO21,GB,yes
`;
    expect(columnsIn(text, 'customers')).toEqual({
      firstname: 'First Name',
      lastname: 'Last Name',
      email: 'Email',
      isSubscriber: 'Newsletter',
      'address.address1': 'Address 1',
      'address.address2': 'Address 2',
      'address.zip': 'Zip',
      'address.city.name': 'City',
      'address.country.code': 'Country',
    });
  });

  test('a column of mail addresses may have wrong ones', () => {
    const text = 'First name,Last name,Email\nAnn,Leigh,ann@example\nBo,Ek,bo@example.com\n';
    expect(columnsIn(text, 'customers')).toMatchObject({ email: 'Email' });
  });

  test('a name in one column is split by the step for it, and that is uncertain', () => {
    const { fields } = draftFor('Full name,Email\nAnn Leigh,ann@example.com\n', 'customers');
    expect(fields.find(({ field }) => field === 'lastname')?.rule).toEqual({
      from: 'Full name',
      person: 'last',
    });
    expect(fields.filter(({ doubt }) => doubt !== undefined).map(({ field }) => field)).toEqual([
      'firstname',
      'lastname',
    ]);
  });

  test('suppliers', () => {
    expect(
      columnsIn(
        'Company Name,Address,City,Country,Phone\nTidewater Mill,Mill Lane 2,Whitby,UK,(171) 555-2222\n',
        'suppliers',
      ),
    ).toEqual({
      name: 'Company Name',
      address1: 'Address',
      'city.name': 'City',
      'country.name': 'Country',
      phone: 'Phone',
    });
  });

  test('a discount is a percentage or a value by the words of its type', () => {
    const { fields } = draftFor(
      'Code,Discount type,Amount\nTEN,percent,10\nFIVE,fixed_cart,5\n',
      'discounts',
    );
    expect(Object.fromEntries(fields.map(({ field, rule }) => [field, rule]))).toEqual({
      code: 'Code',
      type: { from: 'Discount type', map: { percent: 'percentage', fixed_cart: 'fixed_amount' } },
      percentage: { from: 'Amount', number: true, when: { 'Discount type': ['percent'] } },
      value: { from: 'Amount', number: true, when: { 'Discount type': ['fixed_cart'] } },
    });
  });

  test('a discount whose type has an unknown word keeps the known ones, with a doubt', () => {
    const text = 'Code,Discount type,Amount\nTEN,by_percent,10\nTWO,buy_x_get_y,1\n';
    const type = draftFor(text, 'discounts').fields.find(({ field }) => field === 'type');
    expect(type).toMatchObject({
      rule: { from: 'Discount type', map: { by_percent: 'percentage' } },
      doubt: expect.stringContaining('buy_x_get_y'),
    });
  });

  test('of two columns with a type, the one with known words counts', () => {
    const text = 'code,coupon_type,simple_action,discount_amount\nSALE,2,by_percent,10\nGIFT,2,by_fixed,5\n';
    const { fields } = draftFor(text, 'discounts');
    expect(fields.find(({ field }) => field === 'type')?.columns).toEqual(['simple_action']);
  });

  test('a discount is switched on or off by words', () => {
    const text = 'Code,Discount type,Amount,Status\nTEN,percent,10,Active\nTWO,percent,2,Disabled\n';
    const active = draftFor(text, 'discounts').fields.find(({ field }) => field === 'active');
    expect(active?.rule).toMatchObject({ map: { active: true, disabled: false }, else: false });
  });

  test('the rows of an order are its lines', () => {
    const draft = draftFor(
      'Order number,Email,Product name,Quantity\n1,a@example.com,Pen,2\n1,,Ink,1\n2,b@example.com,Cap,1\n',
      'orders',
    );
    expect(draft).toMatchObject({ key: 'Order number', group: { by: 'Order number' } });
    expect(draft.fields.find(({ field }) => field === 'details')?.rule).toEqual({
      each: 'row',
      fields: { 'product.name': 'Product name', quantity: { from: 'Quantity', number: true } },
    });
  });
});

test('lists of JSON objects become images, options and variants', () => {
  const objects: JsonObject[] = [
    {
      handle: 'tee',
      title: 'Tee',
      images: [{ src: 'https://shop.example.com/a.jpg', alt: 'Front' }],
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [{ sku: 'T-S', price: 19, stock: 2 }],
    },
  ];
  const { draft } = draftMapping('products', columnsOfObjects(objects));
  expect(Object.fromEntries(draft.fields.map(({ field, rule }) => [field, rule]))).toMatchObject({
    reference: 'handle',
    images: { each: { in: 'images' }, fields: { src: 'src', title: 'alt' } },
    options: { each: { in: 'options' }, fields: { name: 'name', values: { each: { in: 'values' } } } },
    variants: { each: { in: 'variants' }, fields: { reference: 'sku' } },
    'price.salePrice': { from: 'variants[].price', across: 'lead' },
    'quantity.instock': { from: 'variants[].stock', across: 'sum' },
  });
});

test('every suggestion is a valid mapping, whatever the columns are called', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'Name',
      'SKU',
      'Price',
      'Image 1',
      'Image 2',
      'Tags',
      'Option1 Name',
      'Option1 Value',
      'Status',
    ),
    fc.string({ minLength: 1 }),
    fc
      .tuple(fc.constantFrom('Name', 'Price', 'Image 1', 'SKU'), fc.string())
      .map(([word, rest]) => word + rest),
    fc.constantFrom(
      'Image {n}',
      '{part}',
      'Price {EUR}',
      'Name: ',
      '# Name',
      '- Name',
      '__proto__',
      'Price"',
      "Name'",
    ),
    fc.string({ unit: 'grapheme', minLength: 1 }),
  );
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('1', '12.50', 'true', 'https://shop.example.com/a.jpg', 'a, b', "'0017"),
  );
  const resources = ['products', 'customers', 'suppliers', 'discounts', 'orders'];
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(cell, { minLength: 8, maxLength: 8 }), { maxLength: 4 }),
      fc.constantFrom(...resources),
      (header, rows, resource) => {
        const columns = header.map((each, index) => ({
          name: each,
          cells: rows.map((row) => row[index] ?? ''),
        }));
        const { draft } = draftMapping(resource, { columns }, dictionary);
        if (draft.fields.length === 0) return;
        const text = writeYaml(draft, stringify([header]));
        expect(parseMapping('suggested', text).resource.name).toBe(resource);
      },
    ),
    { numRuns: scaledRuns(300) },
  );
});

// By the square of its length, each would take minutes.
describe('of a million characters', () => {
  const title = { name: 'Product Title', cells: ['Pen', 'Ink'] };
  const fieldsOf = (...columns: { name: string; cells: string[] }[]) =>
    draftMapping('products', { columns: [title, ...columns] }, dictionary).draft.fields.map(
      ({ field }) => field,
    );

  test.each(['[', '(', '{"a":'])('a name of %s is no field', (part) => {
    const odd = { name: part.repeat(1_000_000 / part.length), cells: ['1', '2'] };
    expect(fieldsOf(odd)).toEqual(fieldsOf());
  });

  test.each(['a', '<a', ' ', '=cmd|'])('a cell of %j is no weight and no price', (part) => {
    const cells = [`${part.repeat(1_000_000 / part.length)}~`, '1'];
    const fields = fieldsOf({ name: 'Weight', cells }, { name: 'Price', cells }, { name: 'Image', cells });
    expect(fields).toContain('name');
    expect(fields.filter((field) => /weight|price/i.test(field))).toEqual([]);
  });
});
