import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { hasTrace } from '../../src/read/damage-marks.ts';
import { garbledIn } from '../../src/suspect/garbled.ts';
import { scaledRuns } from '../support/property-tests.ts';

/** Returns UTF-8 bytes read as Windows-1252. */
function decodedTwice(text: string): string {
  return iconv.decode(Buffer.from(text), 'windows-1252');
}

test.each([
  ['Café', 'é'],
  ['Größe', 'ö'],
  ['El Niño', 'ñ'],
  ['ÉTÉ', 'É'],
  ['Mom’s mug', '’'],
  ['“Blue”', '“'],
  ['3 – 5 years', '–'],
  ['12 €', '€'],
  ['Mug™', '™'],
  ['20\u00a0kg', '\u00a0'],
  ['Кружка', 'Кружка'],
  ['Κούπα', 'Κο'],
  ['كوب', 'كوب'],
  ['כוס', 'כוס'],
  ['\ufeffname', '\ufeff'],
])('%s decoded twice is found, with its original', (text, meant) => {
  expect(garbledIn(text)).toBeUndefined();
  expect(garbledIn(decodedTwice(text))?.meant).toBe(meant);
});

test.each([
  'SÃO PAULO',
  'IRMÃOS',
  'AÇÃO “AMANHÔ',
  '«IRMû',
  'Ângela',
  'ÑANDÚ',
  'ØRSTED',
  'Île d’Oléron',
  'â la carte',
  '1×½×¾ inch',
  '5 × 3',
  'Ðorđe',
  'Ψάρι',
  'ЪЫЬ',
  'naïve',
])('%s is not reported as decoded twice', (text) => {
  expect(garbledIn(text)).toBeUndefined();
});

describe('the reader', () => {
  test('marks every row that has something to find', () => {
    const letters = fc.constantFrom(...'aéößñÉÎçÀ’“–€™àКружкаΚούكوכß \u00a0');
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 12 }), (all) => {
        const text = decodedTwice(all.join(''));
        if (garbledIn(text)) expect(hasTrace(Buffer.from(text))).toBe(true);
      }),
      { numRuns: scaledRuns(2000) },
    );
  });

  test.each(['8.05E+12', 'Caf\uFFFD'])('marks %s', (text) => {
    expect(hasTrace(Buffer.from(`1,${text},2`))).toBe(true);
  });

  test.each(['Café,Größe,ÉTÉ,Île,Œuvre', 'a plain mug', 'SIZE+1', 'SÃO PAULO'])(
    'does not mark %s',
    (text) => {
      expect(hasTrace(Buffer.from(text))).toBe(false);
    },
  );
});
