import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { confinedTo } from '../../src/ui/folders.ts';
import { temporaryFolder } from '../support/run.ts';

test('a page reaches files of its folder, and not those of a folder whose name begins alike', () => {
  const above = temporaryFolder();
  for (const name of ['shop', 'shop-2']) {
    mkdirSync(join(above, name));
    writeFileSync(join(above, name, 'a.csv'), 'a');
  }
  const { within, reaches } = confinedTo(join(above, 'shop'), []);
  expect(within('a.csv')).toBe(join(above, 'shop', 'a.csv'));
  for (const path of [join(above, 'shop-2', 'a.csv'), '../shop-2/a.csv', '../shop-2/new.csv'])
    expect(() => within(path)).toThrow('is not in');
  expect(reaches(join(above, 'shop-2', 'a.csv'))).toBe(false);
});
