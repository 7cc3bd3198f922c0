import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { booksOf, environmentOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

const RECORDS = 1000;

/** A store that creates records and then loses answers, and the import of a file into it. */
async function importingInto(faults: Readonly<Record<string, string>>) {
  const sandbox = await startSandbox({ faults });
  const cwd = temporaryFolder();
  const rows = Array.from({ length: RECORDS }, (_, n) => `Mug ${n},R${n}\n`);
  writeFileSync(join(cwd, 'in.csv'), `name,reference\n${rows.join('')}`);
  const env = environmentOf(sandbox);
  return {
    sandbox,
    run: (...args: string[]) => storeport(args, { cwd, env }),
    reports: () => readReports(join(cwd, 'out')),
    /** References that were created more than once. */
    doubles() {
      const made = (sandbox.records('products') as JsonObject[]).map(({ reference }) => reference);
      return made.filter((reference, n) => made.indexOf(reference) !== n);
    },
    [Symbol.asyncDispose]: sandbox.close,
  };
}

const IMPORT = ['import', 'products', 'in.csv', '--out', 'out'];

test('an import stops with 3 if 15 of 16 answers are lost, and resume completes it without doubles', async () => {
  await using imported = await importingInto({ 'late-reset': '93.75%@create' });
  const { sandbox, run, reports, doubles } = imported;
  const { code, stdout } = await run(...IMPORT);
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /new records (?:in a row )?were sent without a usable answer\. Stopped, to leave no more/,
  );
  const { outcomes, stopped, not_read: notRead } = reports().summary;
  expect(stopped.reason).toBe('store-unreachable');
  expect(outcomes['in-doubt']).toBeLessThanOrEqual(32 + (outcomes.created ?? 0) / 10);
  expect(outcomes.unsent + notRead).toBeGreaterThan(900);

  sandbox.misbehave({});
  expect((await run('run', 'resume')).code).toBe(1);
  expect(reports().summary.outcomes).toEqual({
    created: RECORDS - outcomes['in-doubt'],
    'in-doubt': outcomes['in-doubt'],
  });
  expect(booksOf(reports()).balanced).toBe(true);
  expect(sandbox.count('products')).toBe(RECORDS);
  expect(doubles()).toEqual([]);
});

test('an import stops after a warning if every third answer is lost', async () => {
  await using imported = await importingInto({ 'late-500': '33%@create' });
  const { code, stderr } = await imported.run(...IMPORT);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /Warning: \d+ of the last \d+ new records were sent without a usable answer\. Sending one at a time/,
  );
  const { outcomes } = imported.reports().summary;
  expect(outcomes['in-doubt']).toBeLessThanOrEqual(32 + outcomes.created / 10);
});

test('an import completes if one answer in fifty is lost', async () => {
  await using imported = await importingInto({ 'late-reset': '2%@create' });
  const { sandbox, run, reports } = imported;
  const { code, stderr } = await run(...IMPORT);
  expect(code).toBe(1);
  expect(stderr).not.toContain('one at a time');
  const lost = sandbox.journal.filter(({ fault }) => fault === 'late-reset').length;
  expect(reports().summary.outcomes).toEqual({ created: RECORDS - lost, 'in-doubt': lost });
});
