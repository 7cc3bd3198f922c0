import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isKeptByGit } from '../../../src/cli/init/git-ignore.ts';
import { temporaryFolder } from '../../support/run.ts';

const NAME = 'storeport.config.yaml';

test('a folder without git keeps nothing', () => {
  expect(isKeptByGit(temporaryFolder(), NAME)).toBe(false);
});

test.each([
  ['', true],
  ['storeport.config.yaml', false],
  ['/storeport.config.yaml', false],
  ['**/storeport.config.yaml', false],
  ['*.yaml', false],
  ['storeport.config.y?ml', false],
  ['# storeport.config.yaml', true],
  ['*.yml', true],
  ['config/storeport.config.yaml', true],
  ['storeport.config.yaml\n!storeport.config.yaml', true],
  ['!storeport.config.yaml\n*.yaml', false],
  ['storeportXconfig.yaml', true],
])('with the patterns %j in .gitignore, git keeps the file: %s', (patterns, isKept) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.gitignore'), `${patterns}\n`);
  expect(isKeptByGit(folder, NAME)).toBe(isKept);
  mkdirSync(join(folder, '.git'));
  expect(isKeptByGit(folder, NAME)).toBe(isKept);
});

test('patterns of the folders above count in a work tree, unless they begin there with a slash', () => {
  const tree = temporaryFolder();
  const folder = join(tree, 'shops', 'paris');
  mkdirSync(folder, { recursive: true });
  expect(isKeptByGit(folder, NAME)).toBe(false);
  mkdirSync(join(tree, '.git', 'info'), { recursive: true });
  expect(isKeptByGit(folder, NAME)).toBe(true);
  writeFileSync(join(tree, '.gitignore'), `/${NAME}\n`);
  expect(isKeptByGit(folder, NAME)).toBe(true);
  writeFileSync(join(tree, '.git', 'info', 'exclude'), `${NAME}\n`);
  expect(isKeptByGit(folder, NAME)).toBe(false);
  writeFileSync(join(tree, '.gitignore'), `!${NAME}\n`);
  expect(isKeptByGit(folder, NAME)).toBe(true);
});
