import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeport, temporaryFolder } from '../../support/run.ts';

test('demo --shop migrates the whole sample shop, also with a profile in the environment', async () => {
  const cwd = temporaryFolder();
  const env = { STOREPORT_PROFILE: 'production', STOREPORT_DRY_RUN: 'true' };
  const { code, stdout, stderr } = await storeport(['demo', '--shop'], { cwd, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(
    'The store has 6 suppliers, 30 products, 25 customers, 6 discounts and 40 orders.',
  );
  expect(stdout).toContain('All 175 references in them are ids of records that the store has.');
  expect(existsSync(join(cwd, 'storeport-demo', 'shop', 'report.html'))).toBe(true);
  expect(existsSync(join(cwd, '.storeport'))).toBe(false);
});
