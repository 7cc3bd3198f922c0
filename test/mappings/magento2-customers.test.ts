import { expect, test } from 'vitest';
import { gatherExport } from './read-export.ts';

const customer = (website: string, firstname: string) => ({
  email: 'Ann@example.com',
  _website: website,
  firstname,
  lastname: 'Leigh',
});

const address = (website: string, firstname: string, more: Record<string, string> = {}) => ({
  _email: 'ann@example.com',
  _website: website,
  firstname,
  lastname: 'Leigh',
  ...more,
});

const ROME = { street: 'Via Appia 1', city: 'Rome', _address_default_shipping_: '1' };
const BERLIN = { street: 'Spreeweg 2', city: 'Berlin', telephone: '030 1', _address_default_billing_: '1' };

test('accounts with one mail address on two websites keep their own names and addresses', async () => {
  const records = await gatherExport(
    'magento2-customers',
    customer('base', 'Ann'),
    customer('second', 'Anke'),
    address('second', 'Anke', BERLIN),
    address('Base', 'Anna', ROME),
  );
  expect(records.map(({ issues }) => issues)).toEqual([[], []]);
  expect(records.map(({ payload }) => payload)).toEqual([
    {
      firstname: 'Ann',
      lastname: 'Leigh',
      email: 'Ann@example.com',
      address: {
        firstname: 'Anna',
        lastname: 'Leigh',
        address1: 'Via Appia 1',
        city: { name: 'Rome' },
        default: true,
      },
    },
    {
      firstname: 'Anke',
      lastname: 'Leigh',
      email: 'Ann@example.com',
      phone: '030 1',
      address: {
        firstname: 'Anke',
        lastname: 'Leigh',
        address1: 'Spreeweg 2',
        phone: '030 1',
        city: { name: 'Berlin' },
        default: true,
      },
    },
  ]);
});

test('an address of another website than the account is an orphan', async () => {
  const records = await gatherExport(
    'magento2-customers',
    customer('base', 'Ann'),
    address('second', 'Anke', BERLIN),
  );
  expect(records.map(({ issues }) => issues.map(({ code }) => code))).toEqual([[], ['no-parent']]);
  expect(records[0]?.payload).not.toHaveProperty('address');
});

test('an address without a website belongs to the mail address', async () => {
  const [first] = await gatherExport(
    'magento2-customers',
    customer('base', 'Ann'),
    address('', 'Anna', ROME),
  );
  expect(first).toMatchObject({ issues: [], payload: { address: { city: { name: 'Rome' } } } });
});
