import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from '../../faults/oracle.ts';
import { environmentFor, type FaultPlan, readTrace } from '../../faults/plan.ts';
import { writeProducts } from '../../faults/products.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, type ProcessOptions, readReports } from '../../support/run.ts';

// A file of this size is read by a thread. Faults come at the k-th message of that thread and never after a time.

const cli = cliForEachTest();

const RECORDS = 1_100;
const PADDING = 2_300;
const CONCURRENCY = 16;
const importing = ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', String(CONCURRENCY)];

const writeFile = () => writeProducts(join(cli.cwd, 'in.csv'), RECORDS, 'ref', PADDING);

/** In a process of its own if there is a plan for it, or something to do while it runs. */
function run(args: readonly string[], plan?: FaultPlan, options?: Partial<ProcessOptions>) {
  return plan || options
    ? cli.runProcess(args, { ...options, env: environmentFor({ thread: 'reader', ...plan }) })
    : cli.run(...args);
}

function found(wanted: readonly string[]): string[] {
  const facts = { journal: cli.sandbox.journal, references: cli.references() };
  return violations(facts, { wanted, out: join(cli.cwd, 'out'), mostInDoubt: CONCURRENCY });
}

/** Calls back once the store has some of the records. */
function onceSome(then: () => void): void {
  const timer = setInterval(() => {
    if (cli.sends().length < 100) return;
    clearInterval(timer);
    then();
  }, 5);
}

describe('the thread that reads the files', () => {
  test('is not started for a small file', async () => {
    writeProducts(join(cli.cwd, 'in.csv'), 300);
    const trace = join(cli.cwd, 'trace');
    expect((await run(importing, { trace })).code).toBe(0);
    expect(existsSync(trace)).toBe(false);
  });

  test('reads a large one, and the run that a kill ends at one of its messages is resumed by it', async () => {
    const wanted = writeFile();
    expect((await run(importing, { killAt: 12 })).code).toBe(null);
    expect(cli.references().length).toBeLessThan(RECORDS);
    const trace = join(cli.cwd, 'trace');
    expect((await run(['run', 'resume'], { trace })).code).toBeLessThan(2);
    expect(readTrace(trace).filter(({ what }) => what === 'posts').length).toBeGreaterThan(10);
    expect(found(wanted)).toEqual([]);
    const before = cli.references();
    expect((await run(importing)).code).toBeLessThan(2);
    expect(cli.references()).toEqual(before);
  });

  test('sends no values of a resumed run that a newer run has settled', async () => {
    writeFile();
    expect((await run(importing, { killAt: 12 })).code).toBe(null);
    const lines = readFileSync(join(cli.cwd, 'in.csv'), 'utf8');
    writeFileSync(join(cli.cwd, 'new.csv'), lines.replaceAll('Product ', 'Newer '));
    expect((await cli.run('import', 'products', 'new.csv', '--out', 'new')).code).toBeLessThan(2);
    const before = cli.sends().length;
    const older = readReports(join(cli.cwd, 'new')).summary.run;
    const id = (await cli.run('run', 'list', '--json')).stdout.match(/"run":"([^"]+)"/g)?.at(-1);
    expect(id).not.toContain(older);
    expect((await run(['run', 'resume', String(id).slice(7, -1)])).code).toBe(1);
    expect(cli.sends()).toHaveLength(before);
  });

  test.each([1, 15])('stops the run if it ends at message %d, and the ledger is right', async (endAt) => {
    const wanted = writeFile();
    const stopped = await run(importing, { endAt });
    expect(stopped.code).toBe(3);
    expect(stopped.stderr + stopped.stdout).toContain(
      'The thread that reads the files failed: it ended with 7.',
    );
    expect(stopped.stderr + stopped.stdout).not.toMatch(/^\s+at .*:\d+/m);
    const reports = readReports(join(cli.cwd, 'out'));
    expect(reports.summary.stopped.reason).toBe('internal-error');
    expect(booksOf(reports).balanced).toBe(true);
    expect(reports.results.filter(({ outcome }) => outcome === 'created').length).toBe(
      cli.references().length,
    );
    expect((await run(['run', 'resume'])).code).toBe(0);
    expect(found(wanted)).toEqual([]);
  });

  test('reads the results for the reports; if it ends then, everything was sent, and reports are written later', async () => {
    const wanted = writeFile();
    const trace = join(cli.cwd, 'trace');
    expect((await run(importing, { trace })).code).toBe(0);
    const messages = readTrace(trace).filter(({ what }) => what === 'posts').length;
    await cli.renew();
    writeFile();
    // The last messages are the results, 500 in each, and their end.
    const failed = await run(importing, { endAt: messages - 2 });
    expect(failed.code).toBe(3);
    const said = failed.stderr + failed.stdout;
    expect(said).toContain('The thread that reads the files failed: it ended with 7.');
    expect(said).toContain('To write the reports: storeport run report');
    expect(said).not.toContain('Make space');
    expect(existsSync(join(cli.cwd, 'out', 'results.csv'))).toBe(false);
    expect(cli.references().length).toBe(RECORDS);
    expect((await run(['run', 'report'])).code).toBe(0);
    expect(found(wanted)).toEqual([]);
  });

  test('counts the records that were not read when the run is interrupted', async () => {
    const wanted = writeFile();
    const { code } = await run(importing, {}, { onStart: (child) => onceSome(() => child.kill('SIGINT')) });
    expect(code).toBe(130);
    const reports = readReports(join(cli.cwd, 'out'));
    expect(booksOf(reports).balanced).toBe(true);
    expect(reports.summary.records + reports.summary.not_read).toBe(RECORDS);
    expect((await run(['run', 'resume'])).code).toBe(0);
    expect(found(wanted)).toEqual([]);
  });

  test('stops the run if the file changes meanwhile', async () => {
    writeFile();
    const changing = {
      onStart: () => onceSome(() => appendFileSync(join(cli.cwd, 'in.csv'), 'late,1,1,1\n')),
    };
    const stopped = await run(importing, {}, changing);
    expect(stopped.code).toBe(3);
    expect(stopped.stderr + stopped.stdout).toContain('in.csv was changed while it was read');
    const reports = readReports(join(cli.cwd, 'out'));
    expect(reports.summary.stopped.reason).toBe('source-changed');
    expect(booksOf(reports).balanced).toBe(true);
  });
});
