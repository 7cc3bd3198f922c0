import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { type Ended, readReports } from '../../support/run.ts';

const CONCURRENCY = 4;

const cli = cliForEachTest();
beforeEach(async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `Tea ${index},T-${index}`);
  writeFileSync(join(cli.cwd, 'in.csv'), ['name,reference', ...rows, ''].join('\n'));
});

const { run } = cli;

/**
 * Runs an import that does not end: after eight answers the store is silent. `then` is called during that
 * silence.
 */
async function stuckImport(
  then: (child: { kill(signal: NodeJS.Signals): boolean }) => void,
  ...more: string[]
) {
  cli.sandbox.misbehave({ hang: '#9-99@create' });
  const args = [
    'import',
    'products',
    'in.csv',
    '--out',
    'out',
    '--concurrency',
    String(CONCURRENCY),
    ...more,
  ];
  const ended = await cli.runProcess(args, {
    onStart(child) {
      const timer = setInterval(() => {
        const creates = cli.sandbox.journal.filter(({ kind }) => kind === 'create').length;
        if (creates < 8 + CONCURRENCY) return;
        clearInterval(timer);
        then(child);
      }, 10);
    },
  });
  cli.sandbox.misbehave({});
  return ended;
}

const BOOKS = { created: 8, 'in-doubt': CONCURRENCY };

describe('killed run', () => {
  test('a killed run is listed and shown with its outcomes and the next command', async () => {
    expect((await stuckImport((child) => child.kill('SIGKILL'))).code).toBe(null);
    const listed = await run('run', 'list');
    const [, id = ''] =
      /^(\S+) {2}stopped \(crashed\) {2}products {2}8 created, 4 in-doubt /.exec(listed.stdout) ?? [];
    expect(listed.stdout).toContain(`    storeport run resume ${id}\n    storeport run resolve ${id}`);
    expect(JSON.parse((await run('run', 'list', '--json')).stdout)).toMatchObject([
      {
        state: 'stopped',
        stopped: 'crashed',
        outcomes: BOOKS,
        next: [`storeport run resume ${id}`, `storeport run resolve ${id}`],
      },
    ]);
    expect(JSON.parse((await run('run', 'show', '--json')).stdout)).toMatchObject({
      ...{ state: 'stopped', records: 12, outcomes: BOOKS, exit_code: 3 },
      stopped: { reason: 'crashed' },
    });
    const shown = await run('run', 'show');
    expect(shown.stdout).toContain('Imported products: 12 records');
    expect(shown.stdout).toContain(`To write them: storeport run report ${id}`);
    expect(shown.stdout).toContain(`To continue: storeport run resume ${id}`);
    await run('run', 'report');
    expect((await run('run', 'show')).stdout).toContain('Reports: out');
  });

  test('run resolve lists the records in doubt of a killed run without a resume before', async () => {
    await stuckImport((child) => child.kill('SIGKILL'));
    const { code, stdout } = await run('run', 'resolve');
    expect([code, stdout]).toEqual([1, expect.stringContaining('4.\n')]);
  });
});

test('the next import reports that a run was killed', async () => {
  await stuckImport((child) => child.kill('SIGKILL'));
  writeFileSync(join(cli.cwd, 'in.csv'), 'name,reference\nMug,M\n');
  const { code, stderr } = await run('import', 'products', 'in.csv');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /Warning: the run \S+ was killed before its end\. The outcomes of its records: storeport run show/,
    ),
  ]);
  expect((await run('import', 'products', 'in.csv')).stderr).not.toContain('was killed');
});

describe('running run', () => {
  test('a running run is listed and shown without an exit code', async () => {
    const seen: Promise<Ended>[] = [];
    await stuckImport((child) => {
      seen.push(run('run', 'list'), run('run', 'show', '--json'), run('run', 'show'));
      void Promise.all(seen).then(() => child.kill('SIGKILL'));
    });
    const [listed, json, shown] = await Promise.all(seen);
    expect(listed?.stdout).toMatch(/^\S+ {2}running {2}products {2}no records in the ledger yet/);
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
      state: 'running',
      exit_code: null,
      process: { pid: expect.any(Number), since: expect.stringContaining('20') },
    });
    expect(shown?.stdout).toMatch(/^The run \S+ is at work \(process \d+, since 20/);
  });
});

describe('a second Ctrl-C', () => {
  const twice = (child: { kill(signal: NodeJS.Signals): boolean }) => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGINT'), 700);
  };

  test('a second Ctrl-C prints how to resume, and run show then has the outcomes', async () => {
    const { code, stderr } = await stuckImport(twice);
    expect(code).toBe(130);
    const [, id = ''] = /Stopped at once, in the middle of the run (\S+)\.\n/.exec(stderr) ?? [];
    expect(stderr).toContain(`To continue: storeport run resume ${id}`);
    expect(stderr).toContain(`storeport run resolve ${id}`);
    expect(JSON.parse((await run('run', 'show', '--json')).stdout)).toMatchObject({
      outcomes: BOOKS,
      exit_code: 3,
    });
    expect((await run('run', 'resume')).code).toBe(1);
    expect(readReports(join(cli.cwd, 'out')).summary.outcomes).toEqual({
      created: 36,
      'in-doubt': CONCURRENCY,
    });
  });

  test('a second Ctrl-C prints one object with --json', async () => {
    const { stdout } = await stuckImport(twice, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        reason: 'interrupted',
        hints: [expect.stringContaining('storeport run resume'), expect.any(String)],
      },
      exit_code: 130,
    });
  });
});
