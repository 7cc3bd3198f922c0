import { expect, test } from 'vitest';
import { isProfileName, profileNameFor } from '../../../src/cli/init/profile-name.ts';

test.each([
  ['https://api.lamps.example.com', 'lamps'],
  ['https://paris.example.com/eu', 'paris'],
  ['https://www.lamps.com', 'lamps'],
  ['https://shop.com', 'store'],
  ['https://intranet', 'intranet'],
  ['http://127.0.0.1:4010', 'local'],
  ['http://[::1]:4010', 'local'],
  ['http://localhost:4010', 'local'],
])('the profile of %s is called %s', (address, name) => {
  expect(profileNameFor(address)).toBe(name);
  expect(isProfileName(name)).toBe(true);
});

test.each(['', '-x', '.x', '__proto__', 'a b', 'a/b', "a'b", 'a:b', 'x'.repeat(65), 'a\u202eb'])(
  '%j is no name of a profile',
  (name) => expect(isProfileName(name)).toBe(false),
);
