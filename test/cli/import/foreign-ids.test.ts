import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { readReports } from '../../support/run.ts';

const cli = cliForEachTest();

/** Imports products with identifiers of another system. */
async function importing(idOf: () => string, records: number, ...more: string[]) {
  const rows = Array.from({ length: records }, (_, index) => `${idOf()},Tea ${index},T-${index}`);
  writeFileSync(join(cli.cwd, 'in.csv'), ['_id,name,reference', ...rows, ''].join('\n'));
  const args = ['import', 'products', 'in.csv', '--out', 'out', ...more];
  const before = cli.sandbox.journal.length;
  const ended = await cli.run(...args);
  const sends = cli.sandbox.journal
    .slice(before)
    .filter(({ kind }) => kind === 'update' || kind === 'create');
  return { ...ended, sends, ...readReports(join(cli.cwd, 'out')) };
}

test('impossible identifiers are refused before sending, as one kind of problem', async () => {
  const { code, stdout, stderr, sends, summary } = await importing(randomUUID, 30);
  expect([code, sends]).toEqual([1, []]);
  expect(stderr).toContain('The column "_id" is read as the store\'s identifiers');
  expect(stdout).toContain('To do: 30 records have something in "_id"');
  expect(stdout).not.toContain('correct the rows');
  expect(summary.outcomes).toEqual({ invalid: 30 });
  expect(summary.problems).toMatchObject([
    {
      code: 'not-an-id',
      count: 30,
      example: expect.stringContaining('ignore the column with --mode create'),
    },
  ]);
  // This makes new records of them.
  const created = await importing(randomUUID, 30, '--mode', 'create');
  expect([created.code, created.summary.outcomes]).toEqual([0, { created: 30 }]);
  expect(created.stderr).not.toContain('is taken for');
});

test('foreign identifiers are refused once the format of the store is known', async () => {
  const other = () => `a${randomBytes(3).toString('hex')}`;
  expect((await importing(other, 2)).summary.outcomes).toEqual({ rejected: 2 });
  await importing(other, 2, '--mode', 'create');
  const { sends, results } = await importing(other, 2);
  expect(sends).toEqual([]);
  expect(results[0]?.message).toContain('whose identifiers are 24 hexadecimal digits');
  // Unless the settings say otherwise.
  writeFileSync(
    join(cli.cwd, 'storeport.config.yaml'),
    "api: { products: { update: { idPattern: 'b.*' } } }",
  );
  expect((await importing(other, 2)).results[0]?.message).toContain('whose identifiers are like b.*');
  expect((await importing(() => `b${other()}`, 2)).sends).toHaveLength(2);
});

test('unknown identifiers are reported as one kind of refusal, with what to do', async () => {
  const mongo = () => randomBytes(12).toString('hex');
  const few = await importing(mongo, 20);
  expect(few.summary.problems).toMatchObject([{ outcome: 'rejected', count: 20, http_status: 404 }]);
  expect(few.stdout).toContain('no record under the identifier of 20 of them');
  const many = await importing(mongo, 120);
  expect(many.code).toBe(3);
  expect(many.summary.stopped).toMatchObject({
    reason: 'same-refusal',
    message: expect.stringContaining('import with --mode create'),
  });
});
