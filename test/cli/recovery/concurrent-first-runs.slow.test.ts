import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { writeProducts } from '../../faults/products.ts';
import { environmentOf, storeport, temporaryFolder } from '../../support/run.ts';

test('of concurrent first runs in a new home one works, and the others name its process', async () => {
  const sandbox = await startSandbox();
  sandbox.misbehave({ latency: '20ms' });
  const cwd = temporaryFolder();
  const wanted = writeProducts(join(cwd, 'in.csv'), 40);
  const ended = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      storeport(['import', 'products', 'in.csv', '--out', `out-${n}`, '--concurrency', '1', '--json'], {
        cwd,
        env: environmentOf(sandbox),
      }),
    ),
  );
  const created = sandbox.journal.filter(({ kind, did }) => kind === 'create' && did);
  await sandbox.close();
  for (const { code, stdout, stderr } of ended) {
    const { error } = JSON.parse(stdout);
    if (code === 0) continue;
    expect({ code, stderr, reason: error?.reason }).toMatchObject({ code: 2, reason: 'in-use' });
    expect(error.message).toMatch(/ is in use: (run \S+, process \d+, since |another storeport)/);
  }
  expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
  expect(created).toHaveLength(wanted.length);
});
