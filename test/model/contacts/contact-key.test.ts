import { expect, test } from 'vitest';
import { contactKey } from '../../../src/model/index.ts';

test.each(['+1 (415) 555-1234', '+14155551234', '0014155551234', '00 1 415.555.1234', ' +1 415/555-1234 '])(
  '%j is one phone number',
  (text) => {
    expect(contactKey(text)).toBe('+14155551234');
  },
);

test('the zero in brackets is dialled only inside the country', () => {
  expect(contactKey('+44 (0)20 7946 0958')).toBe('+442079460958');
});

test.each(['(415) 555-1234', '0171 5552222', '+1', '+12345678901234567', '+1 415 x2', '00-A', 'C-17'])(
  '%j is compared as it is',
  (text) => {
    expect(contactKey(text)).toBe(text);
  },
);
