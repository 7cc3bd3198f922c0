import { expect, test } from 'vitest';
import { splitName } from '../../../src/map/steps/person.ts';

test.each([
  ['Ann Mary Person', 'Ann Mary', 'Person'],
  ['Doe, John', 'John', 'Doe'],
  ['van der Berg, Jan', 'Jan', 'van der Berg'],
  ['Doe,John', 'John', 'Doe'],
  ['  Doe ,  John  Paul ', 'John Paul', 'Doe'],
  ['Roe, Bob, Jr.', 'Bob', 'Roe, Jr.'],
  ['Bob Roe, Jr.', 'Bob', 'Roe, Jr.'],
  ['Ann Person, PhD', 'Ann', 'Person, PhD'],
  ['Dr. Bob Roe Jr.', 'Dr. Bob', 'Roe Jr.'],
  ['Jan van der Berg', 'Jan', 'van der Berg'],
  ['María de la Cruz', 'María', 'de la Cruz'],
  ['Ludwig von Holt', 'Ludwig', 'von Holt'],
  ["Sean O' Brien", 'Sean', "O' Brien"],
  ["Sean O'Brien", 'Sean', "O'Brien"],
  ['Ian Mc Donald', 'Ian', 'Mc Donald'],
  ['Ahmad bin Said', 'Ahmad', 'bin Said'],
  ['Van Morris', 'Van', 'Morris'],
  ['José Ortega y Gasset', 'José', 'Ortega y Gasset'],
  ['山田 太郎', '太郎', '山田'],
  ['Cher', 'Cher', undefined],
  ['Cher, PhD', 'Cher, PhD', undefined],
  ['van Gogh', 'van Gogh', undefined],
  ['de la Cruz', 'de la Cruz', undefined],
  ['山田太郎', '山田太郎', undefined],
  ['Doe,', 'Doe', undefined],
  ['Dr. Roe', undefined, 'Roe'],
  ['Vinnie Inches', 'Vinnie', 'Inches'],
  ['Ann Sa', 'Ann', 'Sa'],
])('%j has the first name %j and the last name %j', (text, first, last) => {
  const found = splitName(text);
  expect([found.first, found.last]).toEqual([first, last]);
});

test.each([
  'Alder & Ash Joinery GmbH',
  'Holt Ltd.',
  'Holt, Inc.',
  'Molinos, S.A.',
  'Rossi S.r.l.',
  'Kanal AG',
  'Person & Sons',
  'Mill sp. z o.o.',
  'ООО Ромашка',
])('%j is a company, whose name is not cut', (text) => {
  expect(splitName(text)).toEqual({ first: text, last: text });
});
