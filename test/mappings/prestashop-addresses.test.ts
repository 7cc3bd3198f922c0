import { expect, test } from 'vitest';
import { gatherExport, payloadOf } from './read-export.ts';

const ANN = {
  'Email *': 'ann@example.com',
  'First Name *': 'Ann',
  'Last Name *': 'Leigh',
  'Active (0/1)': '1',
};

const address = (owner: Record<string, string>, city: string, active: string) => ({
  ...owner,
  'Alias*': city,
  'Address 1*': `1 ${city} Street`,
  'City*': city,
  Phone: `01632 ${city}`,
  'Active (0/1)': active,
});

test.each([
  ['the first active one', ['0', '1', '1'], 'Hull'],
  ['the first one if none is active', ['0', '0', '0'], 'Leeds'],
  ['the first one if the file has no such column', ['', '', ''], 'Leeds'],
])('the address of a customer is %s', (_, active, city) => {
  const cities = ['Leeds', 'Hull', 'Whitby'];
  const of = { 'Customer e-mail*': 'ann@example.com' };
  const payload = payloadOf(
    'prestashop-customers',
    ANN,
    ...cities.map((each, index) => address(of, each, active[index] ?? '')),
  );
  expect(payload).toMatchObject({
    status: 'ACTIVE',
    phone: `01632 ${city}`,
    address: { address1: `1 ${city} Street`, city: { name: city } },
  });
});

test('a supplier has its active address too, even if the names differ in capitals', async () => {
  const supplier = { 'Supplier ID': '1', 'Active (0/1)': '1', 'Name *': 'Acme' };
  const records = await gatherExport(
    'prestashop-suppliers',
    supplier,
    address({ Supplier: 'acme' }, 'Leeds', '0'),
    address({ Supplier: 'ACME' }, 'Hull', '1'),
  );
  expect(records).toMatchObject([
    { issues: [], payload: { name: 'Acme', address1: '1 Hull Street', city: { name: 'Hull' } } },
  ]);
});
