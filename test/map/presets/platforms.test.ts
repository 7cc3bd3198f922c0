import { expect, test } from 'vitest';
import { platformOf, presetNames, presetsByPlatform } from '../../../src/map/index.ts';

test.each(presetNames())('%s has a platform with a name of its own', (name) => {
  expect(platformOf(name)).not.toBe(name.split('-', 1)[0]);
});

test('every preset is listed once', () => {
  const listed = [...presetsByPlatform().values()].flat().map(({ name }) => name);
  expect(listed.sort()).toEqual(presetNames());
});
