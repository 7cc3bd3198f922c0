import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LookField, lookField } from '../../../src/pipeline/look/fields.ts';
import {
  addExtreme,
  addValue,
  createFigures,
  type Figures,
  isClose,
  mergeFigures,
  openFigures,
  shownFigures,
} from '../../../src/pipeline/look/figures.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const NUMBER = lookField('price.salePrice', 'number', ({ price }) => price?.salePrice, true);
const TEXT = lookField('name', 'text', ({ name }) => name, true);

function add(figures: Figures, value: unknown, row: number): void {
  if (typeof value === 'number') addExtreme(figures, value, row);
  if (isClose(row)) addValue(figures, value, row);
}

function figuresFor(field: LookField, values: readonly unknown[], firstRow = 2) {
  const figures = createFigures(field);
  for (const [at, value] of values.entries()) add(figures, value, firstRow + at);
  return figures;
}

describe('figures of one field', () => {
  test('numbers have a lowest, a middle and a highest value with their rows', () => {
    const shown = shownFigures('price', openFigures(figuresFor(NUMBER, [5, 1, 100, 7, 6])));
    expect(shown).toMatchObject({
      count: 5,
      different: 5,
      lowest: [1, 3],
      middle: [6, 6],
      highest: [100, 4],
    });
  });

  test('the most frequent values are counted exactly if there are few', () => {
    const shown = shownFigures('name', openFigures(figuresFor(TEXT, ['a', 'b', 'a', 'a', 'c', 'b'])));
    expect(shown).toEqual({
      field: 'name',
      count: 6,
      different: 3,
      frequent: [
        ['a', 3],
        ['b', 2],
      ],
    });
  });

  test('texts of people are counted and never kept', () => {
    const figures = createFigures(lookField('email', 'text', ({ email }) => email));
    for (const mail of ['a@example.com', 'a@example.com', 'b@example.com']) add(figures, mail, 2);
    expect(JSON.stringify(openFigures(figures))).not.toContain('example.com');
    expect(shownFigures('email', openFigures(figures))).toMatchObject({ count: 3, different: 2 });
  });

  test('the figures do not grow with the file, and the number of different values is near', () => {
    const figures = createFigures(TEXT);
    for (let at = 0; at < 50_000; at++) add(figures, `Name ${at}`, at);
    expect(openFigures(figures).sample.length).toBeLessThanOrEqual(128);
    const { different = 0, about, compared } = shownFigures('name', openFigures(figures));
    expect(compared).toBe(1002);
    expect(about).toBe(true);
    expect(different).toBeGreaterThan(600);
    expect(different).toBeLessThanOrEqual(1002);
  });

  test('figures of parts are the figures of the whole, wherever the parts are cut', () => {
    const value = fc.oneof(
      fc.integer({ min: 0, max: 400 }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 600 }), fc.nat(600), (values, cut) => {
        for (const field of [NUMBER, TEXT]) {
          const whole = openFigures(figuresFor(field, values));
          const merged = figuresFor(field, values.slice(0, cut));
          mergeFigures(
            merged,
            openFigures(figuresFor(field, values.slice(cut), 2 + Math.min(cut, values.length))),
          );
          expect(openFigures(merged)).toEqual(whole);
          expect(openFigures(createFigures(field, JSON.parse(JSON.stringify(whole))))).toEqual(whole);
        }
      }),
      { numRuns: scaledRuns(100) },
    );
  });

  test('a middle value is within a tenth of the true one', () => {
    const amounts = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(amounts, (values) => {
        const { middle = [0, 0] } = shownFigures('price', openFigures(figuresFor(NUMBER, values)));
        const sorted = [...values].sort((a, b) => a - b);
        const median = sorted[Math.ceil(sorted.length / 2) - 1] as number;
        expect(Math.abs(Math.log(Number(middle[0]) / median))).toBeLessThanOrEqual(0.11);
        expect(values[middle[1] - 2]).toBe(middle[0]);
      }),
      { numRuns: scaledRuns(200) },
    );
  });
});
