import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpStore } from '../../support/http-store.ts';
import { booksOf, readReports, storeport, storeportProcess, temporaryFolder } from '../../support/run.ts';

const COUNT = 120;

/** A store that refuses everything until the test says otherwise, and a run with every record refused. */
async function refusedRun() {
  const cwd = temporaryFolder();
  const answers = { refuses: true, made: [] as string[] };
  let onMade: () => void = () => {};
  const store = await httpStore(({ body }) => {
    if (answers.refuses) return { status: 422, body: { status: 'error', message: 'not today' } };
    answers.made.push(String(body.reference));
    onMade();
    return { status: 'success', data: { _id: `id-${body.reference}` } };
  });
  const rows = Array.from({ length: COUNT }, (_, n) => `Product ${n},ref-${n}`);
  writeFileSync(join(cwd, 'in.csv'), `name,reference\n${rows.join('\n')}\n`);
  const run = (args: string[]) => storeport(args, { cwd, env: store.environment });
  // Without a limit the run would stop after fifty equal refusals.
  await run(['import', 'products', 'in.csv', '--out', 'out', '--concurrency', '4', '--max-errors', '100%']);
  const books = () => readReports(join(cwd, 'out'));
  expect(books().summary.outcomes).toEqual({ rejected: COUNT });
  return {
    run,
    books,
    answers,
    /** Runs the command in a process that is killed once the store has made this number of records. */
    runKilledAfter: (made: number, args: string[]) =>
      storeportProcess(args, {
        cwd,
        env: store.environment,
        onStart: (child) => {
          onMade = () => answers.made.length === made && child.kill('SIGKILL');
        },
      }),
  };
}

test('retry sends rejected records only with --rejected, and then completes the outcomes', async () => {
  const { run, books, answers } = await refusedRun();
  answers.refuses = false;
  const plain = await run(['run', 'retry']);
  expect([plain.code, plain.stderr]).toEqual([1, expect.stringContaining('has no record to send again')]);
  expect(answers.made).toEqual([]);
  const { code } = await run(['run', 'retry', '--rejected']);
  expect(code).toBe(0);
  expect(answers.made).toHaveLength(COUNT);
  expect(books().summary.outcomes).toEqual({ created: COUNT });
  expect(booksOf(books()).balanced).toBe(true);
  expect(books().errors).toEqual([]);
});

test('a killed retry leaves unsent records unchanged and loses nothing', async () => {
  const { run, books, answers, runKilledAfter } = await refusedRun();
  answers.refuses = false;
  const killed = await runKilledAfter(40, ['run', 'retry', '--rejected']);
  expect(killed.code).toBeNull();
  // The run has to end; its records in doubt are not sent again.
  const before = answers.made.length;
  const resumed = await run(['run', 'resume']);
  expect(resumed.code).toBe(1);
  expect(answers.made).toHaveLength(before);
  const { created = 0, rejected = 0, 'in-doubt': doubtful = 0 } = books().summary.outcomes;
  expect(created + rejected + doubtful).toBe(COUNT);
  expect(doubtful).toBeLessThanOrEqual(4);
  expect(booksOf(books()).balanced).toBe(true);
  const shown = JSON.parse((await run(['run', 'show', '--json'])).stdout);
  expect(shown.state).toBe('done');

  expect((await run(['run', 'retry', '--rejected'])).code).toBe(doubtful > 0 ? 1 : 0);
  expect(new Set(answers.made).size).toBe(answers.made.length);
  expect(books().summary.outcomes.rejected).toBeUndefined();
});
