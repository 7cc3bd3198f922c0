import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { binary, environmentOf, type ProcessOptions, storeportProcess } from '../../support/run.ts';

const REVIEWS = 3_000;

const cli = cliForEachTest({ seed: REVIEWS });

/** A reader that ends after the first bytes. */
const readOnce: ProcessOptions['onStart'] = (child) =>
  child.stdout?.once('data', () => child.stdout?.destroy());

const exported = (args: readonly string[], options: Partial<ProcessOptions> = {}) =>
  storeportProcess(['export', 'reviews', ...args], {
    cwd: cli.cwd,
    env: environmentOf(cli.sandbox),
    ...options,
  });

describe('closed standard output', () => {
  test.each(['csv', 'json', 'ndjson'])(
    'an export of %s stops with 3 and a message when standard output is closed',
    async (format) => {
      cli.sandbox.misbehave({ latency: '50ms' });
      const { code, stderr } = await exported(['--format', format, '--concurrency', '1', '--quiet'], {
        onStart: readOnce,
      });
      expect(code).toBe(3);
      expect(stderr).toMatch(
        /^Error: Standard output was closed by its reader before everything was written\. At most \d+ (of 3000 )?reviews were\.$/m,
      );
      expect(stderr).not.toContain('    at ');
      const read = cli.sandbox.journal.filter(({ path }) => path.startsWith('/api/reviews')).length;
      expect(read).toBeLessThan(REVIEWS / 100 / 2);
    },
  );

  test('an incremental export to a closed output remembers nothing', async () => {
    const { cwd } = cli;
    const args = ['--format', 'ndjson', '--incremental'];
    expect((await exported(args, { cwd, onStart: readOnce })).code).toBe(3);
    const { code, stdout } = await exported(args, { cwd });
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, lines: REVIEWS });
  });

  test('clean stops with 3 and leaves no rejects when standard output is closed', async () => {
    const { cwd } = cli;
    const rows = Array.from({ length: 20_000 }, (_, n) => `Product number ${n},r${n % 15_000}`);
    writeFileSync(join(cwd, 'a.csv'), `name,reference\n${rows.join('\n')}\n`);
    const args = ['clean', 'products', 'a.csv', '--rejects', 'r.csv'];
    const { code, stderr } = await storeportProcess(args, { cwd, onStart: readOnce });
    expect({ code, rejects: existsSync(join(cwd, 'r.csv')) }).toEqual({ code: 3, rejects: false });
    expect(stderr).toContain('Error: Standard output was closed by its reader');
  });

  test.each([
    ['help', 'import'],
    ['mapping', 'schema'],
    ['run', 'list'],
  ])('%s %s ends without a stack when standard output is closed', async (...args) => {
    const { code, stderr } = await storeportProcess(args, {
      cwd: cli.cwd,
      onStart: (child) => child.stdout?.destroy(),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe.skipIf(process.platform === 'win32')('named pipe as output', () => {
  /** Runs in a shell, since its pipes are real. `export` is the command without its --out. */
  async function inShell(line: string) {
    const { cwd } = cli;
    const command = `"${process.execPath}" "${binary}" export reviews`;
    const child = spawn('sh', ['-c', line.replace('EXPORT', command)], {
      cwd,
      env: { ...process.env, ...environmentOf(cli.sandbox) },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const [status] = await once(child, 'close');
    return { status, stderr, stdout, cwd };
  }

  test('an export writes into a pipe, even one without a path', async () => {
    const { stdout, cwd } = await inShell(
      '{ EXPORT --out /dev/fd/1 --format ndjson; echo $? > code; } | cat',
    );
    expect(readFileSync(join(cwd, 'code'), 'utf8')).toBe('0\n');
    expect(stdout.split('\n').filter((line) => line.startsWith('{'))).toHaveLength(REVIEWS);
  });

  test.each(['p.ndjson', 'p.csv.gz'])(
    'an export into a pipe stops with 3 when its reader ends: %s',
    async (name) => {
      const { status, stderr } = await inShell(
        `mkfifo ${name}; head -c 10 ${name} > /dev/null & EXPORT --out ${name}`,
      );
      expect(stderr).toContain(`Error: ${name} was closed by its reader`);
      expect(status).toBe(3);
    },
  );
});
