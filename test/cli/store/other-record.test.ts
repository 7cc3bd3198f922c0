import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

async function importingInto(faults: Readonly<Record<string, string>>, count: number) {
  const sandbox = await startSandbox({ faults });
  const cwd = temporaryFolder();
  const write = (name: string) => {
    const rows = Array.from({ length: count }, (_, n) => `${name} ${n},R${n}\n`);
    writeFileSync(join(cwd, 'in.csv'), `name,reference\n${rows.join('')}`);
  };
  write('Mug');
  const run = (...args: string[]) => storeport(args, { cwd, env: environmentOf(sandbox) });
  return {
    ...{ sandbox, cwd, write, run },
    importing: () => run('import', 'products', 'in.csv', '--out', 'out', '--concurrency', '2'),
    reports: () => readReports(join(cwd, 'out')),
    [Symbol.asyncDispose]: sandbox.close,
  };
}

test('a create answered with another record is in doubt, and that record is never updated instead', async () => {
  await using imported = await importingInto({ 'other-record': '#3@create' }, 10);
  const { sandbox, importing, reports, run, write } = imported;
  expect((await importing()).code).toBe(1);
  const { run: first } = reports().summary;
  const doubt = reports().results.find(({ outcome }) => outcome === 'in-doubt');
  const made = (sandbox.records('products') as JsonObject[]).find(
    ({ reference }) => reference === doubt?.key,
  );
  const wrong = [...String(made?._id)].reverse().join('');
  expect(doubt).toMatchObject({
    id: '',
    http_status: '200',
    attempts: '1',
    code: 'other-record',
    message: `The store accepted the request (200), but answered with another record: reference "other ${doubt?.key}" (_id ${wrong}) instead of "${doubt?.key}".`,
  });
  expect(reports().summary.outcomes).toEqual({ created: 9, 'in-doubt': 1 });

  // Whatever changes in the file: nothing is sent to the record that the answer named.
  sandbox.misbehave({});
  write('Cup');
  expect((await importing()).code).toBe(1);
  expect(reports().summary.outcomes).toEqual({ updated: 9, 'in-doubt': 1 });
  expect(sandbox.journal.some(({ path }) => path.includes(wrong))).toBe(false);

  // Only a search in the store resolves it.
  expect((await run('run', 'resolve', first, '--ask')).code).toBe(0);
  write('Jug');
  expect((await importing()).code).toBe(0);
  expect(reports().summary.outcomes).toEqual({ updated: 10 });
  expect(sandbox.count('products')).toBe(10);
});

test('an update answered with another record is sent again and keeps its identifier', async () => {
  await using imported = await importingInto({}, 3);
  const { sandbox, importing, reports, write } = imported;
  await importing();
  const ids = reports().results.map(({ id }) => id);
  sandbox.misbehave({ 'other-record': '#1@update' });
  write('Cup');
  expect((await importing()).code).toBe(0);
  expect(reports().results.map(({ id, outcome }) => [id, outcome])).toEqual(ids.map((id) => [id, 'updated']));
  expect(reports().results.reduce((sum, { attempts }) => sum + Number(attempts), 0)).toBe(4);
});

test('a store that changes all keys stops the run and names the setting that allows the import', async () => {
  await using imported = await importingInto({ 'other-record': '100%@create' }, 100);
  const { cwd, importing, reports, run } = imported;
  const { code, stdout } = await importing();
  expect(code).toBe(3);
  expect(stdout).toMatch(/The store answers new records with others than were sent: reference "other R\d"/);
  expect(stdout).toContain('set `echo: ignore` under `api.products` in storeport.config.yaml');
  const { 'in-doubt': doubts } = reports().summary.outcomes;
  expect(doubts).toBeLessThan(10);

  writeFileSync(join(cwd, 'storeport.config.yaml'), 'api: { products: { echo: ignore } }\n');
  expect((await run('run', 'resume')).code).toBe(1);
  expect(reports().summary.outcomes).toEqual({ created: 100 - doubts, 'in-doubt': doubts });
});
