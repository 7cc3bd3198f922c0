import { describe, expect, test } from 'vitest';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'orocommerce-products';
type Cells = Record<string, string>;

const DICE: Cells = {
  sku: 'DICE-6',
  'attributeFamily.code': 'default_family',
  'names.default.value': 'Oak dice',
  'descriptions.default.value': '<p>Six.</p>',
  'shortDescriptions.default.value': 'Six dice',
  'category.default.title': 'Games, toys',
  status: 'enabled',
  type: 'simple',
  'inventory_status.id': 'in_stock',
  'primaryUnitPrecision.unit.code': 'set',
  price: '12.50',
  MSRP: '15',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...DICE, ...more });

test('a row is a product with its unit, and a category is one name', () => {
  expect(payloadOf()).toEqual({
    name: 'Oak dice',
    reference: 'DICE-6',
    html: '<p>Six.</p>',
    type: 'simple',
    collections: ['Games, toys'],
    status: 'PUBLISH',
    price: { salePrice: 12.5, comparePrice: 15 },
    quantity: { unit: 'set' },
  });
});

test('the names of the demo data give the same fields', () => {
  const demo = {
    sku: 'DICE-6',
    name: 'Oak dice',
    description: 'Six.',
    category: 'Games',
    unit: 'item',
    price: '12.50',
  };
  expect(payloadIn(PRESET, { ...demo, precision: '0', category_sort_order: '1', type: 'simple' })).toEqual({
    name: 'Oak dice',
    reference: 'DICE-6',
    html: 'Six.',
    type: 'simple',
    collections: ['Games'],
    status: 'DRAFT',
    price: { salePrice: 12.5 },
    quantity: { unit: 'item' },
  });
});

test('a recommended price that is lower is not shown', () => {
  expect(payloadOf({ MSRP: '9' }).price).toEqual({ salePrice: 12.5 });
});

test('the short description stands in for an empty one', () => {
  expect(payloadOf({ 'descriptions.default.value': '' }).html).toBe('Six dice');
});

test('a product that is out of stock is not sold on', () => {
  const { quantity, outStock } = payloadOf({ 'inventory_status.id': 'out_of_stock' });
  expect([quantity, outStock]).toEqual([{ instock: 0, unit: 'set' }, { disabled: false }]);
});

describe('status', () => {
  test.each([
    ['a disabled product', { status: 'disabled' }, 0],
    ['a configurable product', { type: 'configurable' }, 1],
    ['a kit', { type: 'kit' }, 1],
    ['a product without a price', { price: '' }, 1],
    ['a product without a status', { status: '' }, 1],
  ])('%s is a draft', (_what, more: Cells, warned) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect([payload.status, warnings.length]).toEqual(['DRAFT', warned]);
  });

  test('a file without prices makes drafts', () => {
    const { price, MSRP, ...rest } = DICE;
    const { payload, warnings = [] } = mapExport(PRESET, rest);
    expect([payload.status, payload.price, warnings.length]).toEqual(['DRAFT', undefined, 1]);
  });
});
