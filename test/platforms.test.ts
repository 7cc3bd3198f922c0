import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LEFT_OUT, whyLeftOut } from './support/platforms.ts';

test.each(LEFT_OUT)('tests that are left out on some systems exist: $file', ({ file, titles = [] }) => {
  const text = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8');
  expect(titles.filter((title) => !text.includes(title))).toEqual([]);
});

test('only the named tests are left out, and none on Linux', () => {
  const runs = 'test/ui/runs/runs.test.ts';
  expect(whyLeftOut('win32', runs, ['no other file can be read, whatever its name'])).toMatch(
    'symbolic links',
  );
  expect(whyLeftOut('win32', runs, ['a run is listed'])).toBeUndefined();
  expect(whyLeftOut('darwin', runs, ['no other file can be read, whatever its name'])).toBeUndefined();
  expect(whyLeftOut('darwin', runs, ['a report is not found, and does not stay open'])).toMatch('/proc');
  expect(whyLeftOut('win32', 'test/read/open-files.test.ts', ['any'])).toMatch('keeps its name');
  for (const { file, titles = ['any'] } of LEFT_OUT)
    expect(whyLeftOut('linux', `test/${file}.test.ts`, titles)).toBeUndefined();
});
