import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();

test('a file whose rows all have one key stops at the rows of one record, after the records before', async () => {
  const rows = Array.from({ length: 20_001 }, (_, at) => `mug,Mug,Size,S${at},M-${at},12.50`);
  const header = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price';
  const { code, stdout } = await cli.importProducts(
    `${[header, 'cup,Cup,,,C-1,4', ...rows].join('\n')}\n`,
    'out',
  );
  expect(code).toBe(3);
  expect(stdout).toContain(
    'in.csv was not read beyond row 20003: the record that begins in row 3 has more than 20,000 rows.',
  );
  expect(cli.references()).toEqual(['cup']);
  expect(cli.reports('out').summary).toMatchObject({ outcomes: { created: 1 } });
});
