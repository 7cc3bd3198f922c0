import { describe, expect, test } from 'vitest';
import { dateFormat, numberFormat } from '../../../src/suggest/profile/formats.ts';

describe('the format of numbers', () => {
  test.each([
    [['12.50', '7'], true],
    [['1.299,90', '12,50'], 'german'],
    [['1,299.90', '12.50'], 'english'],
    [['$95.00', '$1.00'], { currency: true }],
    [['12,50 €', '7,00 €'], { format: 'german', currency: true }],
  ])('%j', (cells, format) => {
    expect(numberFormat(cells)).toEqual(format);
  });

  test.each([[['1,299', '2,500']], [['1.299', '2.500']], [['abc']], [[]]])('%j is not guessed', (cells) => {
    expect(numberFormat(cells)).toBeUndefined();
  });

  test('one cell that is no number changes nothing', () => {
    expect(numberFormat([...Array.from({ length: 99 }, () => '5.25'), 'variable'])).toBe(true);
  });
});

describe('the format of dates', () => {
  test.each([
    [['2024-11-22', '2024-12-01'], true],
    [['31.12.2024', '01.02.2024'], 'DD.MM.YYYY'],
    [['12/31/2024', '02/01/2024'], 'MM/DD/YYYY'],
  ])('%j', (cells, format) => {
    expect(dateFormat(cells)).toEqual(format);
  });

  test('day and month are not guessed', () => {
    expect(dateFormat(['03/04/2024', '05/06/2024'])).toBeUndefined();
  });
});
