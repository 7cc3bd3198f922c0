import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import {
  booksOf,
  environmentOf,
  readReports,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';

const products = (count: number) =>
  `name,reference\n${Array.from({ length: count }, (_, n) => `Product ${n},ref-${n}`).join('\n')}\n`;

describe('early end of a run', () => {
  test('SIGINT stops sending, waits for requests in flight, writes the reports and exits with 130', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(3000));
    try {
      const ended = await storeportProcess(
        ['import', 'products', 'in.csv', '--out', 'out', '--rate', '100'],
        {
          cwd,
          env: environmentOf(sandbox),
          onStart: (child) => {
            const poll = setInterval(() => {
              if (sandbox.count('products') < 5) return;
              clearInterval(poll);
              child.kill('SIGINT');
            }, 5);
            child.on('exit', () => clearInterval(poll));
          },
        },
      );
      expect(ended.code).toBe(130);
      const reports = readReports(join(cwd, 'out'));
      const { summary } = reports;
      expect(booksOf(reports).balanced).toBe(true);
      expect(summary.outcomes.created).toBe(sandbox.count('products'));
      expect(summary.records + summary.not_read).toBe(3000);
      expect(summary.outcomes.unsent).toBeGreaterThan(0);
      expect(summary.stopped.reason).toBe('interrupted');
      expect(new Set(reports.errors.map((row) => row.storeport_outcome))).toEqual(new Set(['unsent']));
      expect(ended.stderr).toContain('Press Ctrl-C again to stop at once');
    } finally {
      await sandbox.close();
    }
  });

  test('revoked credentials stop a run with 3 and account for every record', async () => {
    let now = Date.now();
    const sandbox = await startSandbox({ tokenLifeSeconds: 3600, now: () => now });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(500));
    try {
      const poll = setInterval(() => {
        // From here on every token has expired as soon as it is issued.
        if (sandbox.count('products') >= 20) now += 7200_000;
      }, 2);
      const ended = await storeport(['import', 'products', 'in.csv', '--out', 'out', '--rate', '200'], {
        cwd,
        env: environmentOf(sandbox),
      });
      clearInterval(poll);
      expect(ended.code).toBe(3);
      const reports = readReports(join(cwd, 'out'));
      expect(booksOf(reports).balanced).toBe(true);
      expect(reports.summary.outcomes.created).toBe(sandbox.count('products'));
      expect(reports.summary.records + reports.summary.not_read).toBe(500);
      expect(reports.summary.stopped.reason).toBe('credentials-refused');
    } finally {
      await sandbox.close();
    }
  });

  test('a token that expires often is refreshed without any failed record', async () => {
    const sandbox = await startSandbox({ tokenLifeSeconds: 1 });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(400));
    try {
      const ended = await storeport(['import', 'products', 'in.csv', '--out', 'out', '--rate', '150'], {
        cwd,
        env: environmentOf(sandbox),
      });
      expect(ended.code).toBe(0);
      expect(sandbox.count('products')).toBe(400);
      const refreshes = sandbox.journal.filter(
        ({ method, path }) => method === 'POST' && path.includes('authentication'),
      );
      expect(refreshes.length).toBeGreaterThan(0);
    } finally {
      await sandbox.close();
    }
  });

  test('a permanent outage stops with 3 after --give-up-after, with at most requests in flight in doubt', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(2000));
    const poll = setInterval(() => {
      if (sandbox.count('products') >= 20) void sandbox.close();
    }, 2);
    const ended = await storeport(
      [
        'import',
        'products',
        'in.csv',
        '--out',
        'out',
        '--rate',
        '200',
        '--concurrency',
        '4',
        '--give-up-after',
        '1s',
      ],
      { cwd, env: environmentOf(sandbox) },
    );
    clearInterval(poll);
    expect(ended.code).toBe(3);
    const reports = readReports(join(cwd, 'out'));
    const { summary } = reports;
    expect(booksOf(reports).balanced).toBe(true);
    expect(summary.outcomes['in-doubt'] ?? 0).toBeLessThanOrEqual(4);
    expect(summary.outcomes.created + (summary.outcomes['in-doubt'] ?? 0)).toBeGreaterThanOrEqual(
      sandbox.count('products'),
    );
    expect(summary.records + summary.not_read).toBe(2000);
    expect(reports.inDoubt).toHaveLength(summary.outcomes['in-doubt'] ?? 0);
  });

  test('SIGINT during an outage exits with 130 at once', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(2000));
    let gone = false;
    const ended = await storeportProcess(['import', 'products', 'in.csv', '--out', 'out', '--rate', '200'], {
      cwd,
      env: environmentOf(sandbox),
      onStart: (child) => {
        const poll = setInterval(() => {
          if (gone || sandbox.count('products') < 20) return;
          gone = true;
          void sandbox.close().then(() => setTimeout(() => child.kill('SIGINT'), 300));
        }, 2);
        child.on('exit', () => clearInterval(poll));
      },
    });
    expect(ended.code).toBe(130);
    const reports = readReports(join(cwd, 'out'));
    expect(booksOf(reports).balanced).toBe(true);
    expect(reports.summary.records + reports.summary.not_read).toBe(2000);
  });

  test('a failing ledger stops a run with 3, sends nothing more, and the reports have every record', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    // Long rows, so that few are read ahead: the reports must fit where the ledger did not.
    const rows = Array.from({ length: 12_000 }, (_, n) => `Product ${n},ref-${n},${'long '.repeat(120)}`);
    writeFileSync(join(cwd, 'in.csv'), `name,reference,description\n${rows.join('\n')}\n`);
    try {
      const ended = await storeportProcess(['import', 'products', 'in.csv', '--out', 'out'], {
        cwd,
        env: environmentOf(sandbox),
        fileBlocks: 2400,
      });
      expect(ended.code).toBe(3);
      const reports = readReports(join(cwd, 'out'));
      const { summary } = reports;
      expect(summary.stopped.reason).toBe('ledger-failed');
      expect(booksOf(reports).balanced).toBe(true);
      expect(summary.records + summary.not_read).toBe(12_000);
      expect(summary.outcomes.created).toBeGreaterThan(0);
      expect(summary.outcomes.created).toBe(sandbox.count('products'));
      expect(reports.errors).toHaveLength(summary.outcomes.unsent);
      expect(reports.results.map(({ row }) => Number(row))).toEqual(reports.results.map((_, n) => n + 2));
    } finally {
      await sandbox.close();
    }
  });

  test('a full disk for the reports exits with 3 and names their path, and the ledger knows that the whole file was read', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(20));
    // A link to a device that is always full is opened, not replaced.
    mkdirSync(join(cwd, 'out'));
    symlinkSync('/dev/full', join(cwd, 'out', 'results.csv'));
    try {
      const args = ['import', 'products', 'in.csv', '--out', 'out', '--json'];
      const { code, stdout } = await storeport(args, { cwd, env: environmentOf(sandbox) });
      expect(code).toBe(3);
      const { stopped, not_read } = JSON.parse(stdout);
      expect(stopped).toMatchObject({
        reason: 'output-failed',
        message: expect.stringContaining(`${join(cwd, 'out', 'results.csv')} cannot be written: `),
      });
      expect(not_read).toBe(0);
      expect(sandbox.count('products')).toBe(20);
    } finally {
      await sandbox.close();
    }
  });

  test('a log that cannot be written is named and does not end the run', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(20));
    const args = ['validate', 'products', 'in.csv', '--out', 'out', '--log-file', '/dev/full'];
    const { code, stderr } = await storeport(args, { cwd });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('The log /dev/full cannot be written any more: '),
    ]);
  });

  test('a check of many long keys needs no space for temporary files', async () => {
    const cwd = temporaryFolder();
    const rows = Array.from({ length: 3000 }, (_, n) => `Product ${n},${'long-'.repeat(50)}${n}`);
    writeFileSync(join(cwd, 'in.csv'), `name,reference\n${rows.join('\n')}\n`);
    const ended = await storeportProcess(['validate', 'products', 'in.csv', '--out', 'out'], {
      cwd,
      env: { TMPDIR: join(cwd, 'missing') },
    });
    expect(ended.code).toBe(0);
    const reports = readReports(join(cwd, 'out'));
    expect(reports.summary.outcomes).toEqual({ planned: 3000 });
    expect(booksOf(reports).balanced).toBe(true);
  });

  test('a full disk for rows to be grouped exits with 3 and leaves no file', async () => {
    const cwd = temporaryFolder();
    const rows = Array.from({ length: 3000 }, (_, n) => `${'long '.repeat(800)},${n}`);
    writeFileSync(join(cwd, 'in.csv'), `Name,SKU\n${rows.join('\n')}\n`);
    const fields = { name: 'Name', reference: 'SKU' };
    const mapping = { resource: 'products', group: { by: 'SKU', order: 'any' }, fields };
    writeFileSync(join(cwd, 'mine.json'), JSON.stringify(mapping));
    mkdirSync(join(cwd, 'tmp'));
    const args = ['validate', 'products', 'in.csv', '--mapping', './mine.json', '--out', 'out'];
    const ended = await storeportProcess(args, { cwd, env: { TMPDIR: join(cwd, 'tmp') }, fileBlocks: 1000 });
    expect(ended.code).toBe(3);
    expect(ended.stdout + ended.stderr).toContain(
      `The rows could not be stored in ${join(cwd, 'tmp')} for grouping`,
    );
    expect(readdirSync(join(cwd, 'tmp'))).toEqual([]);
  });

  test('a full disk for the clean file leaves it and the file of rejects as they were', async () => {
    const cwd = temporaryFolder();
    const long = 'long '.repeat(20_000);
    writeFileSync(join(cwd, 'in.csv'), `name,reference,html\nMug,A,${long}\nCup,A,\n`);
    for (const name of ['out.csv', 'out.rejects.csv']) writeFileSync(join(cwd, name), 'of before\n');
    const args = ['clean', 'products', 'in.csv', '--out', 'out.csv'];
    // Enough for the rejects alone.
    const ended = await storeportProcess(args, { cwd, fileBlocks: 100 });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('Error: out.csv cannot be written: EFBIG');
    expect(ended.stderr).not.toContain('    at ');
    for (const name of ['out.csv', 'out.rejects.csv'])
      expect(readFileSync(join(cwd, name), 'utf8')).toBe('of before\n');
    expect(readdirSync(cwd)).toEqual(['in.csv', 'out.csv', 'out.rejects.csv']);
  });

  test('a full disk for the page of a clean-up leaves all its files as they were', async () => {
    const cwd = temporaryFolder();
    const names = ['out.csv', 'out.rejects.csv', 'out.report.html'];
    writeFileSync(join(cwd, 'in.csv'), 'name,reference\nMug,A\nCup,A\n');
    for (const name of names) writeFileSync(join(cwd, name), 'of before\n');
    // Enough for the tables alone.
    const ended = await storeportProcess(['clean', 'products', 'in.csv', '--out', 'out.csv'], {
      ...{ cwd, fileBlocks: 4 },
    });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('Error: out.report.html cannot be written: EFBIG');
    for (const name of names) expect(readFileSync(join(cwd, name), 'utf8')).toBe('of before\n');
    expect(readdirSync(cwd)).toEqual(['in.csv', ...names]);
  });

  test('a full disk for the log of the ledger exits with 3, and nothing is sent', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(50));
    try {
      // Enough for its tables, and for a part of the log.
      const ended = await storeportProcess(['import', 'products', 'in.csv', '--out', 'out'], {
        cwd,
        env: environmentOf(sandbox),
        fileBlocks: 1000,
      });
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('Error: The ledger could not be written, so nothing more was sent');
      expect(ended.stderr).toContain(`Make space on the disk that holds ${join(cwd, '.storeport')}. `);
      expect(sandbox.count('products')).toBe(0);
      const resumed = await storeport(['run', 'resume'], { cwd, env: environmentOf(sandbox) });
      expect(resumed.code).toBe(0);
      expect(sandbox.count('products')).toBe(50);
    } finally {
      await sandbox.close();
    }
  });

  test.each(['import', 'validate'])(
    'SIGINT ends %s with 130 while standard input is silent',
    async (command) => {
      const cwd = temporaryFolder();
      const ended = await storeportProcess(
        [command, 'products', '-', '--out', 'out', ...(command === 'import' ? ['--sandbox'] : [])],
        {
          cwd,
          keepInputOpen: products(500),
          onStart: (child) =>
            // The first line of progress: the run has begun, however slow the machine is.
            child.stderr?.on('data', (text) => /\d records/.test(String(text)) && child.kill('SIGINT')),
        },
      );
      expect(ended.code).toBe(130);
      expect(readReports(join(cwd, 'out')).summary.stopped.reason).toBe('interrupted');
    },
  );

  test('--rate is an upper bound', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), products(60));
    try {
      const ended = await storeport(
        ['import', 'products', 'in.csv', '--json', '--rate', '30', '--concurrency', '32'],
        { cwd, env: environmentOf(sandbox) },
      );
      const summary = JSON.parse(ended.stdout);
      expect(summary.outcomes).toEqual({ created: 60 });
      // A slow machine may take longer; 60 requests at 30 a second never take less than a second and a half.
      expect(summary.duration_ms).toBeGreaterThan(1500);
    } finally {
      await sandbox.close();
    }
  });
});
