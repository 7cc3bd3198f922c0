import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();

const LONG = 'x'.repeat(400_000);

test.each([
  ['validate', 'a.csv', `name,reference,${LONG}\nMug,M-1,5\n`],
  ['validate', 'a.json', `[{"name":"Mug","reference":"M-1","${LONG}":5}]`],
  ['validate', 'a.csv', `${LONG},${LONG},name\nMug,Mug,M-1\n`],
  ['validate', 'a.csv', `name,reference,${LONG}\nMug,M-1\n`],
  ['validate', 'a.csv', `code,${LONG}\nMug,M-1\n`],
  ['mapping suggest', 'a.csv', `Titel,SKU,${'Preis('.repeat(60_000)}\nMug,M-1,5\n`],
])('%s prints no name of 400,000 characters of %s', async (command, file, text) => {
  writeFileSync(join(cli.cwd, file), text);
  const { stdout, stderr } = await cli.run(...command.split(' '), 'products', file);
  expect(stdout + stderr).toMatch(/[xPreis(]…/);
  for (const line of `${stdout}\n${stderr}`.split('\n')) expect(line.length).toBeLessThan(2_000);
});
