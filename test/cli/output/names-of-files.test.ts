import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest({ seed: 3 });

const CLEANING = ['clean', 'products', 'in.csv'];
const COMMANDS = [['export', 'reviews'], CLEANING].map((command) => ({ name: command[0], command }));
const writing = (command: readonly string[], out: string, ...more: string[]) => {
  cli.writeLines('in.csv', 'reference,name', 'A-1,Mug', 'A-2,');
  return cli.run(...command, '--out', out, ...more);
};
const textOf = (name: string) => readFileSync(join(cli.cwd, name), 'utf8');
const visible = () => readdirSync(cli.cwd).filter((name) => name !== '.storeport' && name !== 'in.csv');

describe.each(COMMANDS)('$name', ({ command }) => {
  test.each(['xlsx', 'XLSX', 'xls', 'ods', 'parquet', 'xml', 'yaml', 'db', 'csv.zip', 'csv.zst', 'xlsx.gz'])(
    'refuses a name that ends in .%s, with the formats that are written',
    async (ending) => {
      const { code, stderr } = await writing(command, `r.${ending}`);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`--out r.${ending}`),
      });
      expect(stderr).toContain('.csv, .tsv, .txt, .json, .ndjson or .jsonl');
      expect(visible()).toEqual([]);
    },
  );

  test('refuses the ending of files that are not finished, whatever the format', async () => {
    const option = command[0] === 'clean' ? '--to' : '--format';
    for (const more of [[], [option, 'csv']])
      expect(await writing(command, 'r.csv.part', ...more)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('.part'),
      });
    expect(visible()).toEqual([]);
  });

  test('takes any other name if the format is given', async () => {
    const option = command[0] === 'clean' ? '--to' : '--format';
    expect((await writing(command, 'r.dat', option, 'json')).code).toBeLessThan(2);
    expect(JSON.parse(textOf('r.dat'))).toHaveLength(command[0] === 'clean' ? 1 : 3);
  });

  test.each([
    ['r.tsv', '\t'],
    ['r.tab', '\t'],
    ['r.csv', ','],
    ['r', ','],
    ['r-2026.11.27', ','],
  ])('writes %s with its delimiter', async (name, delimiter) => {
    expect((await writing(command, name)).code).toBeLessThan(2);
    expect(textOf(name).split('\n')[0]?.split(delimiter).length).toBeGreaterThan(1);
  });
});

test('a clean-up writes rejected rows with commas beside a file with tabs', async () => {
  const { code } = await writing(CLEANING, 'r.tsv');
  expect(code).toBe(1);
  expect(textOf('r.rejects.csv')).toMatch(/^reference,name,storeport_/);
});

test('a clean-up writes rejected rows into no file of another format', async () => {
  for (const name of ['bad.json', 'bad.xlsx']) {
    const { code, stderr } = await writing(CLEANING, 'r.csv', '--rejects', name);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(name) });
    expect(existsSync(join(cli.cwd, name))).toBe(false);
  }
});
