import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { refuseOverwriting } from '../../src/write/index.ts';
import { temporaryFolder } from '../support/run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'a.csv'), 'name\n');
  symlinkSync('a.csv', join(folder, 'link.csv'));
  linkSync(join(folder, 'a.csv'), join(folder, 'hard.csv'));
  mkdirSync(join(folder, 'sub'));
  symlinkSync('..', join(folder, 'sub', 'up'));
});

const named = (path: string) => ({ path: path.startsWith('/') ? path : join(folder, path), says: path });
const refuse = (written: string[], read: string[]) => refuseOverwriting(written.map(named), read.map(named));

describe('a file that is read is not overwritten', () => {
  test.each(['a.csv', './sub/../a.csv', 'link.csv', 'hard.csv', 'sub/up/a.csv', 'sub/up/link.csv'])(
    '%s',
    (path) => {
      expect(() => refuse([path], ['a.csv'])).toThrow(
        `${path} is the same file as a.csv, which would be lost.`,
      );
      expect(() => refuse(['a.csv'], [path])).toThrow('is the same file');
    },
  );

  test('another file is written, even one that does not exist yet', () => {
    writeFileSync(join(folder, 'b.csv'), 'name\n');
    expect(() => refuse(['b.csv', 'c.csv', 'none/c.csv'], ['a.csv'])).not.toThrow();
  });
});

describe('two outputs must be two files', () => {
  test.each([
    ['c.csv', './c.csv'],
    ['c.csv', 'sub/up/c.csv'],
    ['none/c.csv', 'sub/up/none/c.csv'],
    ['a.csv', 'link.csv'],
    ['caf\u00e9.csv', 'cafe\u0301.csv'],
  ])('%s and %s', (one, other) => {
    expect(() => refuse([one, other], [])).toThrow(`${one} and ${other} are one file.`);
  });

  test('a path that is not a regular file may be written twice, and read too', () => {
    expect(() => refuse(['/dev/null', '/dev/null'], ['/dev/null'])).not.toThrow();
  });

  test('files in different folders may have the same name', () => {
    expect(() => refuse(['c.csv', 'sub/c.csv'], [])).not.toThrow();
  });
});
