import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { flawedProducts, PADDING, THREAD_ROWS } from '../../support/flawed-products.ts';

// Threads that prepare or keep records wait for the one that sends, as far as the system has priorities for threads.

const cli = cliForEachTest();

const preload = fileURLToPath(new URL('../../support/note-priority.mjs', import.meta.url));

/** Priority of each thread of a command, below that of this process. */
async function stepsBehind(args: readonly string[], exitCode: number): Promise<Record<string, number>> {
  const notes = join(cli.cwd, `${args[0]}.priorities`);
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(preload)}`, PRIORITIES: notes };
  const { code } = await cli.runProcess(args, { env });
  expect(code).toBe(exitCode);
  const lines = readFileSync(notes, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    lines
      .map((line) => line.split(' '))
      .map(([thread, priority]) => [thread, Number(priority) - getPriority()]),
  );
}

const behind = process.platform === 'linux' ? Math.min(5, 19 - getPriority()) : 0;

test('in an import, the threads that read and fold have less priority than the one that sends', async () => {
  writeFileSync(join(cli.cwd, 'a.csv'), flawedProducts(2 * THREAD_ROWS, 'a'));
  const steps = await stepsBehind(['import', 'products', 'a.csv', '--concurrency', '32'], 1);
  expect(steps).toEqual({ main: 0, reader: behind, fold: behind });
});

test('in a check, which sends nothing, they have the same', async () => {
  const items = Array.from({ length: THREAD_ROWS }, (_, n) => ({
    reference: `r-${n}`,
    name: `P ${n}`,
    description: PADDING,
  }));
  writeFileSync(join(cli.cwd, 'a.json'), JSON.stringify(items));
  expect(await stepsBehind(['validate', 'products', 'a.json'], 0)).toEqual({ main: 0, reader: 0 });
});
