import { expect, test } from 'vitest';
import { missedColumns } from '../../../src/map/index.ts';

const column = (name: string, isUsed: boolean, ...cells: string[]) => ({ name, isUsed, cells });
const missed = (...columns: ReturnType<typeof column>[]) => missedColumns('products', columns);

test.each([
  ['images', 'Images (x;y;z...)', 'https://a.example/1.jpg'],
  ['images', 'Produktbilder', 'mug front.png'],
  ['images', 'Изображения товара', '/o/i/mug.jpg'],
  ['images', '商品画像', 'https://a.example/1'],
  ['categories', 'Categories (x,y,z...)', 'Home, Kitchen'],
  ['categories', 'Catégorie par défaut', 'Cuisine'],
  ['categories', 'Категория', 'Кухня'],
  ['prices', 'SalePrice', '€ 1.299,90'],
  ['prices', 'Verkaufspreis', '12,50'],
  ['prices', 'Precio final', '12.50 EUR'],
  ['stock', 'Lagerbestand', '4'],
  ['stock', 'Cantidad', '-2'],
  ['descriptions', 'Produktbeschreibung', '<p>Emailliert, fasst einen halben Liter.</p>'],
  ['brands', 'Hersteller', 'Tidewater Mill'],
])('%s are missed in an unused column called "%s" with %s', (kind, name, cell) => {
  expect(missed(column(name, false, cell))).toEqual([{ kind, columns: [name] }]);
});

test.each([
  ['without data', column('Images', false)],
  ['with numbers for images', column('Image Position', false, '1', '2')],
  ['with alternative texts of images', column('Image Alt Text', false, 'Front', 'Back')],
  ['with numbers for categories', column('Category ID', false, '12')],
  ['with classes of taxes', column('taxCategory', false, 'standard', 'reduced')],
  ['with classes of shipping', column('Shipping category', false, 'Bulky')],
  ['with words for prices', column('Price list', false, 'retail')],
  ['of zeros only', column('Special price', false, '0.00')],
  ['of a setting for stock', column('Low stock amount', false, '5')],
  ['of texts for search engines', column('Meta description', false, 'Enamel mugs, made by hand in Whitby.')],
  ['whose name only begins like a kind', column('Priceless', true, 'yes')],
  ['that the mapping uses', column('Images', true, 'https://a.example/1.jpg')],
])('nothing is missed in a column %s', (_what, given) => {
  expect(missed(given)).toEqual([]);
});

test('nothing is missed if another column of the kind is used, unless that column is empty', () => {
  const image = 'https://a.example/1.jpg';
  expect(missed(column('base_image', true, image), column('thumbnail_image', false, image))).toEqual([]);
  expect(missed(column('Image URL', true), column('Gallery', false, image))).toEqual([
    { kind: 'images', columns: ['Gallery'] },
  ]);
});

test.each([
  ['addresses', '_address_street', 'Ford Row 1'],
  ['addresses', 'Straße', 'Fährweg 2'],
  ['phone numbers', 'Teléfono móvil', '+34 555 010 020'],
  ['mail addresses', 'Courriel', 'ann@example.com'],
])('%s of customers are missed in an unused column called "%s"', (kind, name, cell) => {
  expect(missedColumns('customers', [column(name, false, cell)])).toEqual([{ kind, columns: [name] }]);
  expect(missedColumns('products', [column(name, false, cell)])).toEqual([]);
});

test('a mail or IP address is not a postal address', () => {
  const columns = [column('Email address', false, 'x1'), column('IP address', false, '192.0.2.1')];
  expect(missedColumns('customers', columns)).toEqual([]);
});
