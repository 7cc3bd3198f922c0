import { expect, test } from 'vitest';
import { fileName, nameParts } from '../../../src/pipeline/export/file-name.ts';

const parts = nameParts(new Date(2026, 2, 1, 4, 5, 6), 'reviews', 'north');

test.each([
  ['reviews.csv', 'reviews.csv'],
  ['{resource}-{date}.csv.gz', 'reviews-2026-03-01.csv.gz'],
  ['out/{profile}/{date}T{time}.json', 'out/north/2026-03-01T040506.json'],
  ['{date}-{date}.csv', '2026-03-01-2026-03-01.csv'],
])('the file name %s becomes %s', (template, name) => {
  expect(fileName(template, parts)).toBe(name);
});

test.each(['{day}.csv', '{}.csv', '{constructor}.csv', '{Date}.csv'])(
  '%s is refused with the available placeholders',
  (template) => {
    expect(() => fileName(template, parts)).toThrow(/nothing to fill in/);
  },
);

test.each(['..', '../secret', 'a/b', 'a\\b', '.hidden', '', 'a\nb', '/etc'])(
  'a profile called %j cannot leave the folder',
  (profile) => {
    expect(() => fileName('out/{profile}.csv', { ...parts, profile })).toThrow(
      /cannot be part of a file's name/,
    );
    expect(fileName('out/{date}.csv', { ...parts, profile })).toBe('out/2026-03-01.csv');
  },
);

test.each(['شمال', 'north shop', 'a.b', 'a@b', '店'])(
  'a profile %s can be part of a file name',
  (profile) => {
    expect(fileName('{profile}.csv', { ...parts, profile })).toBe(`${profile}.csv`);
  },
);
