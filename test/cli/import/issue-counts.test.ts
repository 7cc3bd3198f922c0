import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import {
  booksOf,
  environmentOf,
  readReports,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';

const RECORDS = 120;

/** Every second record has a bad price and a bad status, every third two bad images. */
function writeInput(cwd: string): void {
  const lines = Array.from({ length: RECORDS }, (_, n) => {
    const [price, status] = n % 2 === 1 ? ['abc', 'SOLD'] : [12.5, 'PUBLISH'];
    const images = n % 3 === 1 ? [{ src: `p${n}.png` }, { src: `q${n}.png` }] : [];
    return JSON.stringify({
      name: `P ${n}`,
      reference: `r-${n}`,
      price: { salePrice: price },
      status,
      images,
    });
  });
  writeFileSync(join(cwd, 'in.ndjson'), `${lines.join('\n')}\n`);
}

/** Each kind as `code (field): issues in records`. */
function kinds(problems: readonly Record<string, unknown>[]): string[] {
  return problems.map(({ code, field, count, issues }) => `${code} (${field}): ${issues} in ${count}`).sort();
}

const EXPECTED = [
  'not-accepted (images.*.src): 80 in 40',
  'not-allowed (status): 60 in 60',
  'wrong-type (price.salePrice): 60 in 60',
];

async function inSandbox(work: (sandbox: Sandbox, cwd: string) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ faults: { latency: '20ms' } });
  try {
    await work(sandbox, temporaryFolder());
  } finally {
    await sandbox.close();
  }
}

test('validate counts every kind of issue by issues and by records, and prints both', async () => {
  const cwd = temporaryFolder();
  writeInput(cwd);
  const checked = await storeport(['validate', 'products', 'in.ndjson', '--out', 'out'], { cwd });
  expect(kinds(readReports(join(cwd, 'out')).summary.problems)).toEqual(EXPECTED);
  expect(checked.stdout).toMatch(/^ +80 × not-accepted \(images\.\*\.src\) in 40 records, such as /m);
  expect(checked.stdout).toMatch(/^ +60 × not-allowed \(status\), such as /m);
});

test('a resumed import and rewritten reports count every kind of issue by issues and by records', () =>
  inSandbox(async (sandbox, cwd) => {
    writeInput(cwd);
    const env = environmentOf(sandbox);
    const importing = ['import', 'products', 'in.ndjson', '--out', 'out', '--concurrency', '2'];
    const killed = await storeportProcess(importing, {
      cwd,
      env,
      onStart: (child) => {
        const timer = setInterval(() => {
          if (sandbox.count('products') < 10) return;
          clearInterval(timer);
          child.kill('SIGKILL');
        }, 1);
        timer.unref();
      },
    });
    expect(killed.code).toBe(null);
    await storeport(['run', 'resume'], { cwd, env });
    const reports = readReports(join(cwd, 'out'));
    expect(booksOf(reports).balanced).toBe(true);
    const ofData = reports.summary.problems.filter(
      ({ outcome }: { outcome: string }) => outcome === 'invalid',
    );
    expect(kinds(ofData)).toEqual(EXPECTED);
    await storeport(['run', 'report'], { cwd, env });
    expect(readReports(join(cwd, 'out')).summary.problems).toEqual(reports.summary.problems);
    const shown = await storeport(['run', 'show', '--json'], { cwd, env });
    expect(JSON.parse(shown.stdout).problems).toEqual(reports.summary.problems);
  }));

test('a record with 20,000 issues has a readable message in every report', async () => {
  const cwd = temporaryFolder();
  const images = Array.from({ length: 20_000 }, (_, n) => ({ src: `${n}.png` }));
  writeFileSync(join(cwd, 'in.ndjson'), `${JSON.stringify({ name: 'P', reference: 'r', images })}\n`);
  const checked = await storeport(['validate', 'products', 'in.ndjson', '--out', 'out'], { cwd });
  const { results, errors, summary } = readReports(join(cwd, 'out'));
  expect(results[0]).toMatchObject({ code: 'not-accepted', field: 'images.0.src' });
  expect(results[0]?.message?.length).toBeLessThan(1_200);
  expect(results[0]?.message).toMatch(/; and 19\d{3} more: 19\d{3} × not-accepted \(images\.\*\.src\)$/);
  expect(errors[0]?.storeport_message).toBe(results[0]?.message);
  expect(kinds(summary.problems)).toEqual(['not-accepted (images.*.src): 20000 in 1']);
  for (const line of checked.stdout.split('\n')) expect(line.length).toBeLessThan(300);
});
