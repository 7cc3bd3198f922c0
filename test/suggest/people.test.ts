import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

const customers = (...lines: readonly string[]) => suggested('customers', lines.join('\n'));

describe('names and addresses of customers', () => {
  test('two last names are joined', () => {
    const { payloads } = customers(
      'Nombre,Apellido 1,Apellido 2,Email',
      'Ana,García,López,a@x.es',
      'Luis,Pérez,,l@x.es',
    );
    expect(payloads.map(({ lastname }) => lastname)).toEqual(['García López', 'Pérez']);
  });

  test.each([
    [
      'behind a street without one is the house',
      'Dirección,Número',
      ['C/ Mayor,1', 'C/ Sol,22b'],
      'C/ Mayor 1',
    ],
    ['apart from the street is no house', 'Número,Dirección', ['1,C/ Mayor', '22b,C/ Sol'], 'C/ Mayor'],
    [
      'behind a street with one is no house',
      'Dirección,Número',
      ['C/ Mayor 7,1', 'C/ Sol 9,22b'],
      'C/ Mayor 7',
    ],
    ['of four words is no house', 'Dirección,Número', ['C/ Mayor,K-1001', 'C/ Sol,K-1002'], 'C/ Mayor'],
  ])('a number %s', (_, header, cells, street) => {
    const { payloads } = customers(
      `Nombre,Apellidos,Email,${header}`,
      ...cells.map((each, n) => `Ana,Ruiz,a${n}@x.es,${each}`),
    );
    expect(payloads[0]).toMatchObject({ address: { address1: street } });
  });

  test('a street with the number of its house in one column is the street', () => {
    const { payloads } = customers(
      'Vezetéknév,Keresztnév,Email,"Utca, házszám"',
      'Nagy,Béla,b@x.hu,Piac utca 2.',
      'Szabó,Réka,r@x.hu,Fő utca 1.',
    );
    expect(payloads[0]).toMatchObject({ address: { address1: 'Piac utca 2.' } });
  });

  test('words of a state are the status, and no part of a country', () => {
    const stateOf = (...cells: readonly string[]) =>
      customers('First name,Last name,Email,State', ...cells.map((cell, n) => `Ann,Lee,a${n}@x.com,${cell}`))
        .payloads[0];
    const enabled = stateOf('enabled', 'disabled', 'enabled');
    expect(enabled).toMatchObject({ status: 'ACTIVE' });
    expect(enabled).not.toHaveProperty('address');
    const texas = stateOf('TX', 'NV', 'TX');
    expect(texas).toMatchObject({ address: { province: { name: 'TX' } } });
    expect(texas).not.toHaveProperty('status');
  });

  test('an address and a phone number that no field has are named', () => {
    const header = 'First name,Last name,Email,Wohnhaft,Erreichbar unter';
    const rows = ['Ann,Lee,a@x.com,12 Elm Rd,020 7946 0001', 'Bo,Ray,b@x.com,5 Oak Ave,020 7946 0002'];
    expect(customers(header, ...rows).risks).toEqual({
      Wohnhaft: 'it may have an address, which no field has',
      'Erreichbar unter': 'it may have a phone number, which no field has',
    });
    // A column that is read makes the others a second choice.
    const named = customers(
      header.replace('Wohnhaft', 'Address').replace('Erreichbar unter', 'Phone'),
      ...rows,
    );
    expect(named.risks).toEqual({});
  });
});

test.each([
  ['Baja', ['', '01/02/2025'], [undefined, 'UNACTIVE']],
  ['De baja', ['no', 'si'], [undefined, 'UNACTIVE']],
])('an account that has ended by %s is not active', (name, cells, states) => {
  const { payloads } = customers(
    `Nombre,Apellidos,Email,${name}`,
    ...cells.map((cell, n) => `Ana,Ruiz,a${n}@x.es,${cell}`),
  );
  expect(payloads.map(({ status }) => status)).toEqual(states);
});

test.each(['Raison sociale', 'Ragione sociale', 'Razón social'])('a column %s has a company', (name) => {
  const { payloads } = customers(
    `First name,Last name,Email,${name}`,
    'Ann,Lee,a@x.com,Lee SARL',
    'Bo,Ray,b@x.com,',
  );
  expect(payloads[0]).toMatchObject({ address: { company: 'Lee SARL' } });
});

test('a column with whole names is the name of a customer, and not the name of a user', () => {
  const { payloads } = customers('Customer,Username,Email', 'Ann Lee,ann,a@x.com', 'Bo Ray,bo,b@x.com');
  expect(payloads[0]).toMatchObject({ firstname: 'Ann', lastname: 'Lee' });
});

test('a phone number at home is used if there is no other', () => {
  const { payloads } = customers(
    'First name,Last name,Email,Mobile no,Home phone',
    'Ann,Lee,a@x.com,0400 111 222,',
    'Bo,Ray,b@x.com,,03 9111 2222',
  );
  expect(payloads.map(({ phone }) => phone)).toEqual(['0400 111 222', '03 9111 2222']);
});

test('a country and a region in one column is the country', () => {
  const { payloads } = customers(
    'First name,Last name,Email,Country / Region',
    'Ann,Lee,a@x.com,US',
    'Bo,Ray,b@x.com,GB',
  );
  expect(payloads[0]).toMatchObject({ address: { country: { code: 'US' } } });
});

test.each([
  ['Marked', ['', 'x', '']],
  ['Löschvormerkung', ['', 'X', '']],
])('a mark in %s ends an account, or is named', (name, cells) => {
  const { payloads, risks } = customers(
    `First name,Last name,Email,${name}`,
    ...cells.map((cell, n) => `Ann,Lee,a${n}@x.com,${cell}`),
  );
  const isEnded = payloads[1]?.status === 'UNACTIVE' && payloads[0]?.status === undefined;
  expect(isEnded || risks[name] === 'it may decide who can buy').toBe(true);
});
