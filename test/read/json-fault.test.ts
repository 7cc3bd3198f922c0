import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFault } from '../../src/read/json-fault.ts';
import { scaledRuns } from '../support/property-tests.ts';

test('a fault is found exactly where JSON.parse finds one', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'nul',
    ' ',
    '\n',
    '\\',
    '\\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      const { at, expected } = findFault(text);
      const isSound = at === text.length && expected === 'nothing more';
      let parsed = true;
      try {
        JSON.parse(text);
      } catch {
        parsed = false;
      }
      expect(isSound).toBe(parsed);
      expect(at).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: scaledRuns(5000) },
  );
});
