import { expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { hostileFile } from '../../support/hostile-files.ts';
import { runHostile } from '../../support/hostile-runs.ts';
import { temporaryFolder } from '../../support/run.ts';

test('validate and import --dry-run end within their contract for 110 hostile files of all formats', async () => {
  const folder = temporaryFolder();
  const codes = new Set<number | string>();
  for (let number = 1; number <= 110; number++) {
    const { fault, code, args } = await runHostile(main, number, folder);
    expect({ number, args, fault }).toEqual({ number, args, fault: undefined });
    codes.add(code);
  }
  expect([...codes]).toEqual(expect.arrayContaining([1, 2, 3]));
}, 600_000);

test('a hostile file is the same for each number', async () => {
  for (let number = 1; number <= 11; number++)
    expect((await hostileFile(number)).bytes.length).toBe((await hostileFile(number)).bytes.length);
});
