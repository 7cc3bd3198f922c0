import { describe, expect, test } from 'vitest';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'shopify-customers';
const payloadOf = (row: Record<string, string>) => payloadIn(PRESET, row);

const CLASSIC = {
  'First Name': 'Yasmine',
  'Last Name': 'Benali',
  Email: 'y@example.com',
  Company: 'Benali & Co',
  Address1: '1 rue des Tilleuls',
  Address2: 'B',
  City: 'Oran',
  Province: 'Oran',
  'Province Code': '31',
  Country: 'Algeria',
  'Country Code': 'DZ',
  Zip: "'03100",
  Phone: "'+213555000001",
  'Accepts Marketing': 'yes',
  'Total Spent': '120.00',
  'Total Orders': '3',
  Tags: 'vip',
  Note: 'Rings twice',
  'Tax Exempt': 'no',
};

const WHOLE = {
  firstname: 'Yasmine',
  lastname: 'Benali',
  email: 'y@example.com',
  phone: '+213555000001',
  isSubscriber: true,
  note: 'Rings twice',
  address: {
    firstname: 'Yasmine',
    lastname: 'Benali',
    company: 'Benali & Co',
    address1: '1 rue des Tilleuls',
    address2: 'B',
    zip: '03100',
    phone: '+213555000001',
    city: { name: 'Oran' },
    province: { name: 'Oran' },
    country: { name: 'Algeria', code: 'DZ' },
    default: true,
  },
};

describe('a customer with an address', () => {
  test('of the classic header', () => {
    expect(payloadOf(CLASSIC)).toEqual(WHOLE);
  });

  test('of the second header', () => {
    const { 'Accepts Marketing': accepts, ...rest } = CLASSIC;
    const second = {
      'Customer ID': "'70",
      ...rest,
      'Accepts Email Marketing': accepts,
      'Accepts SMS Marketing': 'no',
    };
    expect(payloadOf(second)).toEqual(WHOLE);
  });

  test('of the newest header has codes for province and country, and a phone number of the address', () => {
    const newest = {
      'Customer ID': "'70",
      'First Name': 'Yasmine',
      'Last Name': 'Benali',
      Email: 'y@example.com',
      'Accepts Email Marketing': 'yes',
      'Default Address Company': 'Benali & Co',
      'Default Address Address1': '1 rue des Tilleuls',
      'Default Address Address2': 'B',
      'Default Address City': 'Oran',
      'Default Address Province Code': '31',
      'Default Address Country Code': 'DZ',
      'Default Address Zip': "'03100",
      'Default Address Phone': "'0555",
      Phone: "'+213555000001",
      Note: 'Rings twice',
    };
    expect(payloadOf(newest)).toEqual({
      ...WHOLE,
      address: { ...WHOLE.address, phone: '0555', province: { name: '31' }, country: { code: 'DZ' } },
    });
    expect(payloadOf({ ...newest, Phone: '' }).phone).toBe('0555');
  });
});

test('a customer without an address gets none, not one of a name and a default', () => {
  const { 'First Name': first, 'Last Name': last, Email, Phone } = CLASSIC;
  const row = {
    ...Object.fromEntries(Object.keys(CLASSIC).map((name) => [name, ''])),
    Email,
    Phone,
    'First Name': first,
    'Last Name': last,
  };
  expect(payloadOf(row)).toEqual({
    firstname: 'Yasmine',
    lastname: 'Benali',
    email: 'y@example.com',
    phone: '+213555000001',
  });
});

test.each([
  ['yes', true],
  ['no', false],
  ['', undefined],
])('a customer who accepts marketing %j is a subscriber: %s', (cell, expected) => {
  expect(payloadOf({ ...CLASSIC, 'Accepts Marketing': cell }).isSubscriber).toBe(expected);
});

test('amounts spent and ordered are not fields of a customer', () => {
  expect(JSON.stringify(payloadOf(CLASSIC))).not.toMatch(/120|vip/);
});

test('a word that is neither yes nor no is an issue', () => {
  expect(mapExport(PRESET, { ...CLASSIC, 'Accepts Marketing': 'perhaps' }).issues).toMatchObject([
    { code: 'not-yes-or-no', field: 'isSubscriber', column: 'Accepts Marketing' },
  ]);
});
