import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createWorkStore, NO_HINTS, newWorkId } from '../../../src/ui/work/work-state.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { interruptWhen } from '../../support/interrupt.ts';
import { readReports } from '../../support/run.ts';
import { writeShop } from '../../support/shop.ts';

const cli = cliForEachTest({ seed: 3 });

const MAPPING = JSON.stringify({ resource: 'products', fields: { name: 'Name', reference: 'SKU' } });
const ROWS = Array.from({ length: 60 }, (_, n) => (n % 5 === 0 ? `,r${n}` : `Product ${n},r${n}`));

const at = (...names: string[]) => join(cli.cwd, ...names);
const inFolder = (folder: string, ...args: string[]) => cli.runWith(args, { cwd: at(folder) });

/** Imports until three records are wrong, from the folder `old`, with all files there. `more`: further words. Returns the id of the run. */
async function stoppedRun(more: readonly string[] = []): Promise<string> {
  mkdirSync(at('old', 'maps'), { recursive: true });
  writeFileSync(at('old', 'maps', 'm.json'), MAPPING);
  writeFileSync(at('old', 'in.csv'), `Name,SKU\n${ROWS.join('\n')}\n`);
  const args = ['import', 'products', 'in.csv', '--mapping', 'maps/m.json', '--max-errors', '3', '--json'];
  const { code, stdout } = await inFolder('old', ...args, '--concurrency', '1', ...more);
  expect(code).toBe(3);
  return JSON.parse(stdout).run;
}

describe('a working folder that was moved', () => {
  let run: string;
  beforeEach(async () => {
    run = await stoppedRun();
  });

  test('gets the reports of its runs, and its old place stays empty', async () => {
    renameSync(at('old'), at('new'));
    rmSync(at('new', 'storeport-runs', run, 'report.html'));
    const { stdout } = await inFolder('new', 'run', 'report');
    expect(stdout).toContain(join('storeport-runs', run));
    expect(existsSync(at('new', 'storeport-runs', run, 'report.html'))).toBe(true);
    expect(existsSync(at('old'))).toBe(false);
  });

  test('resumes a run with its source and its mapping, and may be moved again', async () => {
    renameSync(at('old'), at('new'));
    expect((await inFolder('new', 'run', 'resume')).code).toBe(1);
    renameSync(at('new'), at('third'));
    rmSync(at('third', 'storeport-runs', run, 'summary.json'));
    expect((await inFolder('third', 'run', 'report')).code).toBe(1);
    const { summary } = readReports(at('third', 'storeport-runs', run));
    expect(summary.outcomes).toEqual({ created: 48, invalid: 12 });
    expect(existsSync(at('old')) || existsSync(at('new'))).toBe(false);
  });
});

test('a home that was restored elsewhere leaves the reports of the first alone, and reads its source there', async () => {
  const run = await stoppedRun();
  writeFileSync(at('old', 'storeport-runs', run, 'report.html'), 'of the first');
  cpSync(at('old', '.storeport'), at('restored', '.storeport'), { recursive: true });
  expect((await inFolder('restored', 'run', 'resume')).code).toBe(1);
  expect(readFileSync(at('old', 'storeport-runs', run, 'report.html'), 'utf8')).toBe('of the first');
  expect(readReports(at('restored', 'storeport-runs', run)).summary.outcomes).toEqual({
    ...{ created: 48, invalid: 12 },
  });
});

test('a run with a folder of reports outside keeps it', async () => {
  mkdirSync(at('old'));
  writeFileSync(at('old', 'in.csv'), 'name,reference\nMug,A\n');
  await inFolder('old', 'import', 'products', 'in.csv', '--out', at('reports'));
  renameSync(at('old'), at('new'));
  rmSync(at('reports', 'report.html'));
  expect((await inFolder('new', 'run', 'report')).code).toBe(0);
  expect(existsSync(at('reports', 'report.html'))).toBe(true);
});

describe('a renamed working folder whose home is elsewhere', () => {
  const KEPT = ['--home', '../kept'];

  test('gets the reports of its runs, and its old place stays empty', async () => {
    const run = await stoppedRun(KEPT);
    renameSync(at('old'), at('new'));
    rmSync(at('new', 'storeport-runs', run, 'report.html'));
    const { code, stderr } = await inFolder('new', 'run', 'report', ...KEPT);
    expect(code).toBe(3);
    expect(stderr).toContain(
      `${at('old')}, the working folder of this run, does not exist any more. Its reports are written to ${join('storeport-runs', run)}.`,
    );
    expect(existsSync(at('new', 'storeport-runs', run, 'report.html'))).toBe(true);
    expect(existsSync(at('old'))).toBe(false);
  });

  test('resumes a run with its source and its mapping, and may be renamed again', async () => {
    const run = await stoppedRun(KEPT);
    renameSync(at('old'), at('new'));
    expect((await inFolder('new', 'run', 'resume', ...KEPT)).code).toBe(1);
    renameSync(at('new'), at('third'));
    expect((await inFolder('third', 'run', 'report', ...KEPT)).code).toBe(1);
    expect(readReports(at('third', 'storeport-runs', run)).summary.outcomes).toEqual({
      ...{ created: 48, invalid: 12 },
    });
    expect(existsSync(at('old')) || existsSync(at('new'))).toBe(false);
  });

  test('that was removed leaves the reports of its runs to the folder of the command', async () => {
    const run = await stoppedRun([...KEPT, '--out', 'deep/reports']);
    rmSync(at('old'), { recursive: true });
    mkdirSync(at('other'));
    expect((await inFolder('other', 'run', 'report', ...KEPT)).code).toBe(3);
    expect(readReports(at('other', 'storeport-runs', 'deep-reports')).summary.run).toBe(run);
    expect(existsSync(at('old'))).toBe(false);
  });

  test('that is still there gets the reports, also from a command in another folder', async () => {
    const run = await stoppedRun(KEPT);
    rmSync(at('old', 'storeport-runs'), { recursive: true });
    mkdirSync(at('other'));
    const { stderr } = await inFolder('other', 'run', 'report', ...KEPT);
    expect(stderr).not.toContain('does not exist');
    expect(readReports(at('old', 'storeport-runs', run)).summary.run).toBe(run);
  });

  test('continues a migration whose plan is elsewhere too', async () => {
    for (const name of ['old', 'plans']) mkdirSync(at(name));
    writeFileSync(at('plans', 'plan.yaml'), 'steps: [{ import: products, files: in.csv }]\n');
    const rows = ROWS.map((_, n) => `Product ${n},r${n}\n`);
    writeFileSync(at('plans', 'in.csv'), `name,reference\n${rows.join('')}`);
    const plan = ['migrate', '../plans/plan.yaml', '--concurrency', '1', '--json', ...KEPT];
    cli.sandbox.misbehave({ latency: '20ms' });
    const signal = interruptWhen(() => cli.sends().length >= 1);
    expect((await cli.runWith(plan, { cwd: at('old'), signal })).code).toBe(130);
    cli.sandbox.misbehave({});
    renameSync(at('old'), at('new'));
    const { code, stdout } = await inFolder('new', ...plan);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).out).toContain(at('new', 'storeport-runs'));
    expect(cli.products()).toHaveLength(60);
    expect(existsSync(at('old'))).toBe(false);
  });
});

test('an incremental export continues its file in a moved folder', async () => {
  mkdirSync(at('old'));
  const args = ['export', 'reviews', '--out', 'reviews.csv', '--incremental', '--json'];
  expect((await inFolder('old', ...args)).code).toBe(0);
  renameSync(at('old'), at('new'));
  const again = await inFolder('new', ...args);
  expect(`${again.code} ${again.stderr}`).toBe('0 ');
});

test('a migration continues in a moved folder', async () => {
  mkdirSync(at('old'));
  writeShop(at('old'));
  expect((await inFolder('old', 'migrate', 'plan.yaml', '--json', '--yes')).code).toBe(0);
  renameSync(at('old'), at('new'));
  const undone = await inFolder('new', 'migrate', 'plan.yaml', '--undo', '--yes', '--json');
  expect(undone.stderr).not.toContain('was not run');
  expect(JSON.parse(undone.stdout).outcomes.updated).toBeGreaterThan(0);
  expect(existsSync(at('old'))).toBe(false);
});

test('the page finds files that moved with the home', async () => {
  mkdirSync(at('old', 'works'), { recursive: true });
  writeFileSync(at('old', 'in.csv'), 'a');
  const id = newWorkId();
  await createWorkStore(at('old', 'works'), at('old', '.storeport')).keep({
    ...{
      id,
      version: 0,
      path: at('old', 'in.csv'),
      choice: {},
      resource: null,
      origin: null,
      texts: [],
      at: 0,
    },
    ...{ saved: null, hints: NO_HINTS, hasForeignIds: false },
  });
  renameSync(at('old'), at('new'));
  const store = createWorkStore(at('new', 'works'), at('new', '.storeport'));
  expect(store.read(id).path).toBe(at('new', 'in.csv'));
});
