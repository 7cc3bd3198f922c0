import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Summary } from '../../../src/report/index.ts';
import { storeport, temporaryFolder } from '../../support/run.ts';

const HEADER = 'SKU,Name,Price,Compare at price,Quantity,Track inventory,Weight';

/** A shop with 30 products. Four do not count their stock, two have an older price that is lower, and three a weight without a unit. */
function shop(): string {
  const cwd = temporaryFolder();
  const rows = Array.from({ length: 30 }, (_, at) => {
    const compare = at === 3 || at === 9 ? '5.00' : '45.00';
    const weight = at < 3 ? '12' : '1.5 kg';
    return `PEN-${at},Pen ${at},${10 + at}.50,${compare},${at + 1},${at % 8 === 1 ? 'No' : 'Yes'},${weight}`;
  });
  writeFileSync(join(cwd, 'shop.csv'), `${[HEADER, ...rows].join('\n')}\n`);
  return cwd;
}

test('cells that a suggested rule leaves out are counted by each run, with their rows', async () => {
  const cwd = shop();
  await storeport(['mapping', 'suggest', 'products', 'shop.csv', '--out', 'shop.yaml'], { cwd });
  const checked = ['validate', 'products', 'shop.csv', '--mapping', './shop.yaml', '--out', 'out'];
  const { code, stdout, stderr } = await storeport(checked, { cwd });
  expect(code).toBe(0);
  const { files } = JSON.parse(readFileSync(join(cwd, 'out/summary.json'), 'utf8')) as Summary;
  const counts = files[0]?.warnings?.map(({ message, count, records }) => [message, count, records[0]?.row]);
  expect(counts).toEqual([
    ['"Weight" is left out: it has no unit in cells where others have one.', 3, 2],
    ['"Quantity" is left out: "Track inventory" says that the shop does not count it.', 4, 3],
    ['"Compare at price" is left out: it is below "Price".', 2, 5],
  ]);
  for (const [message] of counts ?? []) expect(stdout + stderr).toContain(message);
});
