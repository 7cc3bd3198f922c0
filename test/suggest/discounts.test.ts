import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

const discounts = (...lines: readonly string[]) => suggested('discounts', lines.join('\n'));

describe('percentages and amounts of discounts', () => {
  test.each([
    ['percent_off', 'amount_off'],
    ['Rabatt in %', 'Rabatt in EUR'],
    ['Remise (%)', 'Remise (€)'],
    ['Discount percentage', 'Discount amount'],
    ['Zniżka %', 'Kwota zniżki'],
  ])('beside each other are read by the one that is filled: %s, %s', (percent, amount) => {
    const { payloads, issues } = discounts(
      `Code,${percent},${amount}`,
      'A,20,',
      'B,,5.50',
      'C,15,0',
      'D,10,2.00',
    );
    expect(payloads).toEqual([
      { code: 'A', type: 'percentage', percentage: 20 },
      { code: 'B', type: 'fixed_amount', value: 5.5 },
      { code: 'C', type: 'percentage', percentage: 15 },
      { code: 'D' },
    ]);
    expect(issues).toEqual([[], [], [], []]);
  });

  test('beside each other are read by a column with the type', () => {
    const { payloads } = discounts('Code,Type,Percentage,Amount', 'A,percent,20,4.00', 'B,fixed,20,4.00');
    expect(payloads).toEqual([
      { code: 'A', type: 'percentage', percentage: 20 },
      { code: 'B', type: 'fixed_amount', value: 4 },
    ]);
  });

  test('in one column differ by their signs, and a cell without one has no type', () => {
    const { payloads, draft } = discounts('Coupon,Discount', 'A,10%', 'B,€5.50', 'C,7', 'D,2.5 %');
    expect(payloads).toEqual([
      { code: 'A', type: 'percentage', percentage: 10 },
      { code: 'B', type: 'fixed_amount', value: 5.5 },
      { code: 'C' },
      { code: 'D', type: 'percentage', percentage: 2.5 },
    ]);
    expect(draft.fields.find(({ field }) => field === 'type')?.doubt).toBe(
      '1 of 4 cells of Discount have no sign, so their discounts have no type and are not imported',
    );
  });

  test.each([
    ['Prozent', 'Betrag'],
    ['Pourcentage', 'Montant fixe'],
    ['porcentaje', 'importe fijo'],
    ['procent', 'kwota'],
    ['Prosentti', 'Kiinteä summa'],
    ['процент', 'сумма'],
    ['定率', '定額'],
  ])('are known by the words of their type: %s, %s', (percent, amount) => {
    const { payloads } = discounts('Code,Type,Value', `A,${percent},20`, `B,${amount},5`);
    expect(payloads).toEqual([
      { code: 'A', type: 'percentage', percentage: 20 },
      { code: 'B', type: 'fixed_amount', value: 5 },
    ]);
  });

  test('discounts in fractions are percentages', () => {
    const { payloads, draft } = discounts(
      'Code,Type,Value',
      'A,percentage,0.15',
      'B,fixed,5',
      'C,percentage,0.2',
    );
    expect(payloads).toEqual([
      { code: 'A', type: 'percentage', percentage: 15 },
      { code: 'B', type: 'fixed_amount', value: 5 },
      { code: 'C', type: 'percentage', percentage: 20 },
    ]);
    expect(draft.fields.find(({ field }) => field === 'percentage')?.doubt).toBe(
      'its figures are below 1, so 0.15 is read as 15 %',
    );
  });

  test('discounts in fractions beside others are left out', () => {
    const { payloads, draft } = discounts('Code,Type,Value', 'A,percentage,0.15', 'B,percentage,10');
    expect(payloads.map(({ percentage }) => percentage)).toEqual([undefined, undefined]);
    expect(draft.leftOut).toContainEqual(
      expect.objectContaining({
        why: 'some of its percentages are below 1, such as 0.15, and others are not',
      }),
    );
  });

  test('percentages with a sign are not fractions', () => {
    const { payloads } = discounts('Code,Discount', 'A,0.5%', 'B,10%');
    expect(payloads.map(({ percentage }) => percentage)).toEqual([0.5, 10]);
  });

  test('percentages and amounts are known by a column with their unit, whatever it is called', () => {
    const { payloads } = discounts('Code promo,Remise,Unité', 'A,10,%', 'B,5,€', 'C,0,port offert');
    expect(payloads).toEqual([
      { code: 'A', type: 'percentage', percentage: 10 },
      { code: 'B', type: 'fixed_amount', value: 5 },
      { code: 'C', type: 'free_shipping' },
    ]);
  });

  test('percentages and amounts are not known by a column with the currency only', () => {
    const { draft } = discounts('Code,Discount,Unit', 'A,10,EUR', 'B,5,EUR');
    expect(draft.fields.map(({ field }) => field)).toEqual(['code']);
  });

  test('amounts in another currency than nearly all others are left out', () => {
    const rows = Array.from({ length: 20 }, (_, n) => `C${n},5.00,${n === 7 ? 'USD' : 'EUR'}`);
    const { payloads } = discounts(
      'Code,Percent off,Amount off,Currency',
      ...rows.map((row) => row.replace(',', ',,')),
      'P,10,,EUR',
    );
    expect(payloads.map(({ value }) => value)).toEqual([
      ...Array.from({ length: 20 }, (_, n) => (n === 7 ? undefined : 5)),
      undefined,
    ]);
  });
});

test.each([
  ['2026-12-31', '2026-12-31T23:59:59Z'],
  ['31.12.2026', '2026-12-31T23:59:59Z'],
  ['31 Dec 2026', '2026-12-31T23:59:59Z'],
  ['2026-12-31 18:00', '2026-12-31T18:00:00Z'],
  ['2026-12-31T00:00:00', '2026-12-31T00:00:00Z'],
])('a discount that ends on %s ends at %s', (cell, end) => {
  const { payloads } = discounts('Code,Percentage,End date', `A,10,${cell}`, 'B,10,');
  expect(payloads.map(({ endDate }) => endDate)).toEqual([end, undefined]);
});

describe('restrictions of discounts', () => {
  test('are used if the store has a field for them, and 0 is none', () => {
    const { payloads, risks } = discounts(
      'Code,Percentage,min_spend,Min quantity,max_redemptions,Uses per customer',
      'A,10,50.00,2,100,1',
      'B,10,0,0,0,0',
    );
    expect(payloads).toEqual([
      {
        ...{ code: 'A', type: 'percentage', percentage: 10 },
        requirements: { price: 50, quantity: 2 },
        limits: { all: 100, per_customer: 1 },
      },
      { code: 'B', type: 'percentage', percentage: 10, requirements: { price: 0 } },
    ]);
    expect(risks).toEqual({});
  });

  test('once per customer by a yes is a limit of one', () => {
    const { payloads } = discounts('Code,Percentage,Once per customer', 'A,10,yes', 'B,10,no');
    expect(payloads.map(({ limits }) => limits)).toEqual([{ per_customer: 1 }, undefined]);
  });

  test.each([
    ['applies_to', 'Shoes', 'All'],
    ['customer_group', 'VIP', ''],
    ['Combinable', 'no', 'yes'],
    ['First order only', 'yes', 'no'],
    ['Kundengruppe', 'Händler', ''],
    ['Catégories', 'Chaussures', ''],
    ['product_ids', '12|13', ''],
    ['maximum_amount', '20.00', ''],
  ])('are named if they are not used: %s', (name, cell, other) => {
    const { risks } = discounts(`Code,Percentage,${name}`, `A,10,${cell}`, `B,10,${other}`);
    expect(risks).toEqual({ [name]: 'it may restrict discounts, which are then sent without it' });
  });

  test.each([
    'Description,A great deal',
    'Times used,5',
    'Created at,2026-01-01',
    'applies_to,All',
    'maximum_amount,0.00',
  ])('are not suspected in a column that restricts nothing: %s', (column) => {
    const [name, cell] = column.split(',');
    expect(discounts(`Code,Percentage,${name}`, `A,10,${cell}`, `B,20,${cell}`).risks).toEqual({});
  });
});

test('a discount that is scheduled is active if it has a start date', () => {
  const active = (header: string, cell: string) =>
    discounts(`Code,Percentage,${header}Status`, `A,10,${cell}Scheduled`, `B,10,${cell}Expired`).payloads.map(
      (each) => each.active,
    );
  expect(active('Start date,', '2026-03-01,')).toEqual([true, false]);
  expect(active('', '')).toEqual([false, false]);
});
