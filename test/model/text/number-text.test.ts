import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberText } from '../../../src/model/index.ts';

test('the text of a finite number is that of String', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(-0)),
      (number) => {
        expect(numberText(number)).toBe(String(number));
      },
    ),
  );
});
