import { expect, test } from 'vitest';
import { pathWord, shellWordOn } from '../../../src/model/index.ts';

test.each([
  ['products.csv', 'products.csv', 'products.csv'],
  ['/srv/my shop/a.csv', "'/srv/my shop/a.csv'", '"/srv/my shop/a.csv"'],
  ['C:\\shop\\a.csv', "'C:\\shop\\a.csv'", 'C:\\shop\\a.csv'],
  ['C:\\my shop\\', "'C:\\my shop\\'", '"C:\\my shop\\\\"'],
  ['_id,name', '_id,name', '"_id,name"'],
  ['{profile}-{date}.csv', "'{profile}-{date}.csv'", '"{profile}-{date}.csv"'],
  ["it's", "'it'\\''s'", '"it\'s"'],
  ["$it's", "'$it'\\''s'", "'$it''s'"],
  ['100%.csv', '100%.csv', "'100%.csv'"],
  ['', "''", '""'],
])('%s is quoted for the shell of the system', (word, sh, powershell) => {
  expect(shellWordOn('linux')(word)).toBe(sh);
  expect(shellWordOn('win32')(word)).toBe(powershell);
});

test.each([
  ['m.yaml', './m.yaml'],
  ['maps/m.yaml', 'maps/m.yaml'],
  ['C:\\maps\\m.yaml', 'C:\\maps\\m.yaml'],
  ['-m/x', './-m/x'],
])('the path %s is written so that it is no name', (path, word) => {
  expect(pathWord(path)).toBe(word);
});
