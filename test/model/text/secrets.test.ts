import { expect, test } from 'vitest';
import { hideValues } from '../../../src/model/index.ts';

test.each([
  ['bad value "hunter2"', 'hunter2'],
  ['bad value "pa\\"ss1"', 'pa"ss1'],
  ['bad value "a\\\\b-c"', 'a\\b-c'],
  ['bad value "xy"', 'xy'],
])('a value of a secret field is hidden as it is and as JSON writes it: %s', (text, password) => {
  expect(hideValues(text, { password }, ['password'])).toBe('bad value "***"');
});
