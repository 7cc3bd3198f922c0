import { expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { hostileFile } from '../../support/hostile-files.ts';
import { runHostile } from '../../support/hostile-runs.ts';
import { temporaryFolder } from '../../support/run.ts';

const COUNT = 120;

test(`validate and import --dry-run end within their contract for ${COUNT} hostile files of all formats`, async () => {
  const folder = temporaryFolder();
  const codes = new Set<number | string>();
  let withRecords = 0;
  for (let number = 1; number <= COUNT; number++) {
    const { fault, code, args, records = 0 } = await runHostile(main, number, folder);
    expect({ number, args, fault }).toEqual({ number, args, fault: undefined });
    codes.add(code);
    if (records > 0) withRecords++;
  }
  expect([...codes]).toEqual(expect.arrayContaining([0, 1, 2, 3]));
  // Most files pass the header, so that the steps after it are tested.
  expect(withRecords).toBeGreaterThan(COUNT / 2);
}, 600_000);

test('a hostile file is the same for each number', async () => {
  for (let number = 1; number <= 30; number++) {
    const [file, again] = [await hostileFile(number), await hostileFile(number)];
    expect({ ...again, bytes: again.bytes.length }).toEqual({ ...file, bytes: file.bytes.length });
  }
});
