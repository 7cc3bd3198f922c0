import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { storeport, temporaryFolder } from '../../support/run.ts';

const HEADER = 'name,reference\n';
const FILES: Readonly<Record<string, string | Buffer>> = {
  'good.csv': `${HEADER}A,1\n`,
  'header.csv': HEADER,
  'no-line-end.csv': HEADER.trim(),
  'blank.csv': `${HEADER},\n,\n`,
  'list.json': '[]',
  'answer.json': '{"data":{"products":[]},"paginate":{"total":0}}',
  'lines.ndjson': '',
  'blank-lines.jsonl': '\n\n',
  'lines.ndjson.gz': gzipSync(''),
};

function folderWithFiles(): string {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);
  return cwd;
}

const COMMANDS = {
  validate: [],
  import: ['--sandbox'],
  clean: ['--out', 'clean.csv'],
};

describe.each(Object.entries(COMMANDS))('%s of a file without rows', (command, options) => {
  test.each([
    ['header.csv', 'has a header and no row below it'],
    ['no-line-end.csv', 'has a header and no row below it'],
    ['blank.csv', 'has only empty rows below its header (2)'],
    ['list.json', 'holds an empty list'],
    ['answer.json', 'holds an empty list'],
    ['lines.ndjson', 'is empty'],
    ['blank-lines.jsonl', 'is empty'],
    ['lines.ndjson.gz', 'is empty'],
  ])('a file without rows is reported by name: %s', async (file, what) => {
    const { code, stderr } = await storeport([command, 'products', file, ...options], {
      cwd: folderWithFiles(),
    });
    expect(stderr).toContain(`Warning: ${file} ${what}, so no record comes from it.`);
    expect(code).toBe(0);
  });

  test('only the file without rows is named among several', async () => {
    const line = [command, 'products', 'good.csv', 'header.csv', ...options];
    const { code, stderr } = await storeport(line, { cwd: folderWithFiles() });
    expect(stderr.match(/Warning: .*/g)).toEqual([
      expect.stringMatching(/^Warning: header\.csv has a header and no row/),
    ]);
    expect(code).toBe(0);
  });
});

test('a file that --limit left unread is not reported as empty', async () => {
  const line = ['validate', 'products', 'good.csv', 'header.csv', '--limit', '1'];
  const { stderr } = await storeport(line, { cwd: folderWithFiles() });
  expect(stderr).not.toContain('Warning');
});

test('an adopt file without pairs is reported', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'ids.csv'), 'reference,_id\n');
  const line = ['run', 'adopt', 'products', 'ids.csv', '--base-url', 'http://127.0.0.1:9'];
  expect((await storeport(line, { cwd })).stderr).toContain('ids.csv has a header and no row below it');
});
