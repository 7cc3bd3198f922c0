import { describe, expect, test } from 'vitest';
import { mapExport, objectPayloadOf, payloadOf } from './read-export.ts';

test('an apostrophe that guards a phone number in the file is no part of it, in any preset', () => {
  const odoo = { name: 'Ann Person', is_company: 'False', email: 'a@example.org', street: 'Old Yard 3' };
  const rows = {
    'odoo-customers': { ...odoo, city: 'Leeds', zip: "'01001", phone: "'+44 1632 960001" },
    'woocommerce-customers': {
      user_email: 'a@example.org',
      first_name: 'A',
      last_name: 'B',
      billing_phone: "'+44 1632 960001",
    },
  };
  for (const [preset, row] of Object.entries(rows))
    expect(payloadOf(preset, row).phone).toBe('+44 1632 960001');
  expect(payloadOf('odoo-customers', rows['odoo-customers']).address).toMatchObject({ zip: '01001' });
});

describe('customers of Shopware 6', () => {
  const ROW = {
    customer_number: '1',
    first_name: 'Greta',
    last_name: 'Lindqvist',
    email: 'greta@example.org',
    active: '1',
    guest: '0',
    billing_street: '',
    billing_city: '',
    shipping_street: '',
    shipping_city: '',
  };

  test('the address for bills counts, else the one for goods', () => {
    const both = {
      ...ROW,
      billing_street: 'A 1',
      billing_city: 'Bonn',
      shipping_street: 'B 2',
      shipping_city: 'Kiel',
    };
    expect(payloadOf('shopware6-customers', both).address).toMatchObject({
      address1: 'A 1',
      city: { name: 'Bonn' },
    });
    const goods = { ...both, billing_street: '', billing_city: '' };
    expect(payloadOf('shopware6-customers', goods).address).toMatchObject({
      address1: 'B 2',
      city: { name: 'Kiel' },
    });
    expect(payloadOf('shopware6-customers', ROW).address).toBeUndefined();
  });

  test('a customer who is switched off stays so', () => {
    expect(payloadOf('shopware6-customers', { ...ROW, active: '0' }).status).toBe('UNACTIVE');
  });
});

describe('customers of Odoo', () => {
  const ROW = {
    name: 'Ruth Ann Castle',
    is_company: 'False',
    street: 'Old Yard 3',
    city: 'Leeds',
    zip: 'LS1',
  };

  test('a person has the last word as last name, under technical names and under labels', () => {
    const names = { firstname: 'Ruth Ann', lastname: 'Castle', type: 'particular' };
    expect(payloadOf('odoo-customers', ROW)).toMatchObject(names);
    const labels = {
      Name: 'Ruth Ann Castle',
      'Is a company': '0',
      Street: 'Old Yard 3',
      City: 'Leeds',
      ZIP: 'LS1',
    };
    expect(payloadOf('odoo-customers', labels)).toMatchObject(names);
  });

  test('a person whose last name comes first, before a comma, has both names', () => {
    const names = { firstname: 'John', lastname: 'Doe' };
    expect(payloadOf('odoo-customers', { ...ROW, name: 'Doe, John' })).toMatchObject(names);
  });

  test('a person with one name lacks the other, which is an issue', () => {
    expect(mapExport('odoo-customers', { ...ROW, name: 'Pim' }).payload).not.toHaveProperty('lastname');
  });

  test('a company is professional, and warns that it has no names', () => {
    const { payload, warnings } = mapExport('odoo-customers', {
      ...ROW,
      name: 'Alder & Ash Joinery',
      is_company: 'True',
    });
    const name = 'Alder & Ash Joinery';
    expect(payload).toMatchObject({ type: 'professional', firstname: name, lastname: name });
    expect(payload).toMatchObject({ address: { company: name } });
    expect(warnings).toHaveLength(1);
  });
});

describe('customers of WooCommerce', () => {
  const BILLING = {
    first_name: 'Sofía',
    last_name: 'Marín',
    address_1: 'Calle Olmo 8',
    postcode: '28012',
    country: 'ES',
  };
  const OBJECT = {
    id: 31,
    email: 'sofia@example.org',
    first_name: '',
    last_name: '',
    billing: BILLING,
    shipping: { address_1: '' },
  };
  const PAYLOAD = {
    firstname: 'Sofía',
    lastname: 'Marín',
    email: 'sofia@example.org',
    address: {
      firstname: 'Sofía',
      lastname: 'Marín',
      address1: 'Calle Olmo 8',
      zip: '28012',
      country: { code: 'ES' },
      default: true,
    },
  };

  test('an object and a row of a plugin give the same customer', () => {
    expect(objectPayloadOf('woocommerce-customers', OBJECT)).toEqual(PAYLOAD);
    const row = {
      user_email: 'sofia@example.org',
      first_name: '',
      last_name: '',
      ...Object.fromEntries(Object.entries(BILLING).map(([name, value]) => [`billing_${name}`, value])),
    };
    expect(payloadOf('woocommerce-customers', row)).toEqual(PAYLOAD);
  });
});

describe('contacts of Wix', () => {
  const ROW = {
    'First Name': 'Émile',
    'Last Name': 'Roux',
    'Email 1': '',
    'Email 2': 'emile@example.org',
    'Phone 1': "'+33 1 99 00 55 66",
    'Email subscriber status': 'unsubscribed',
  };

  test('the first address and number that are there count', () => {
    expect(payloadOf('wix-customers', ROW)).toEqual({
      firstname: 'Émile',
      lastname: 'Roux',
      email: 'emile@example.org',
      phone: '+33 1 99 00 55 66',
      isSubscriber: false,
    });
  });

  test('only who has subscribed is a subscriber', () => {
    const subscribed = (status: string) =>
      payloadOf('wix-customers', { ...ROW, 'Email subscriber status': status }).isSubscriber;
    expect(['subscribed', 'Never subscribed', 'pending'].map(subscribed)).toEqual([true, false, false]);
  });
});
