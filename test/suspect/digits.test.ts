import { expect, test } from 'vitest';
import { checkedColumns } from '../../src/suspect/columns.ts';
import { faultOfGtin, hasLostZero, isRounded } from '../../src/suspect/digits.ts';

test.each(['8.05E+12', '8,05E+12', '1E+5', '-2.5E+10'])('%s is a rounded number', (text) => {
  expect(isRounded(text)).toBe(true);
});

test.each(['8.05', 'SIZE+1', 'A1E+5', '1E5', '1.23e-7', '12.5E+3', ''])(
  '%s is not a rounded number',
  (text) => {
    expect(isRounded(text)).toBe(false);
  },
);

test.each([
  ['4006381333931', undefined],
  ['4006381333932', 'wrong-check-digit'],
  ['036000291453', 'wrong-check-digit'],
  ['10614141000416', 'wrong-check-digit'],
  ['96385074', undefined],
  ['96385075', 'wrong-check-digit'],
  ['036000291452', undefined],
  ['36000291452', 'lost-zero'],
  ['978-0-306-40615-7', undefined],
  ['10614141000415', undefined],
  ['12345', undefined],
  ['ABC4006381333932', undefined],
  ['', undefined],
])('%s as a GTIN: %s', (text, fault) => {
  expect(faultOfGtin(text)).toBe(fault);
});

test.each([
  ['2138', 'US', true],
  ['501', 'United States', true],
  ['4109', 'Deutschland', true],
  ['02138', 'US', false],
  ['2138', 'CH', false],
  ['1012', 'Netherlands', false],
  ['', 'US', false],
])('the postcode %s in %s has lost a zero: %s', (postcode, country, lost) => {
  expect(hasLostZero(postcode, country)).toBe(lost);
});

const gtinsIn = (name: string) => checkedColumns([name], [true]).gtins.length;

test.each(['Variant Barcode', 'EAN13', 'gtin_14', 'GTIN, UPC, EAN, or ISBN', 'Code-barres', 'UPC'])(
  '%s is recognised as a column of GTINs',
  (name) => {
    expect(gtinsIn(name)).toBe(1);
  },
);

test.each(['Ocean', 'Upcoming', 'Title', 'Janet', 'SKU'])('%s is not a column of GTINs', (name) => {
  expect(gtinsIn(name)).toBe(0);
});

test('a postcode is checked against the country of its own address', () => {
  const header = [
    'Billing Country',
    'Shipping Zip',
    'Shipping Country',
    'Billing Zip',
    'address.zip',
    'address.country.code',
  ];
  const { postcodes } = checkedColumns(
    header,
    header.map(() => true),
  );
  expect(postcodes).toEqual([
    { at: 1, country: 2 },
    { at: 3, country: 0 },
    { at: 4, country: 5 },
  ]);
});

test('a column that the mapping does not read is not checked', () => {
  expect(checkedColumns(['EAN', 'Zip', 'Country'], [false, false, true])).toEqual({
    gtins: [],
    postcodes: [],
  });
});
