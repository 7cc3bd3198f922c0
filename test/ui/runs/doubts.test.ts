import { expect, test } from 'vitest';
import type { DoubtsView, RunView } from '../../../src/ui/api/index.ts';
import { createRuns } from '../../../src/ui/runs/runs.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf } from '../../support/run.ts';
import { callerOf, uiContextIn } from '../../support/ui-context.ts';

const cli = cliForEachTest({ faults: { 'late-reset': '100%@create' } });

/** A run with three records whose answers were lost. */
async function doubtfulRun() {
  await cli.importProducts('name,reference\nA,R1\nB,R2\nC,R3\n', 'one');
  const runs = createRuns(uiContextIn(cli.cwd));
  const run = (await runs.latest())[0]?.run ?? '';
  const call = callerOf(runs.routes);
  return {
    run,
    view: () => call(`GET /runs/${run}`) as Promise<RunView>,
    doubts: () => call(`GET /runs/${run}/doubts`) as Promise<DoubtsView>,
    settle: (answers: readonly object[]) =>
      call(`POST /runs/${run}/doubts`, { answers }) as Promise<DoubtsView>,
  };
}

const answer = (row: number, id: string | null) => ({ row, key: `R${row - 1}`, id });

test('records in doubt are listed and settled, and the books balance', async () => {
  const { run, view, doubts, settle } = await doubtfulRun();
  expect(await doubts()).toMatchObject({ total: 3, canAsk: true, doubts: [{ row: 2, key: 'R1' }, {}, {}] });
  expect((await view()).actions.map(({ kind }) => kind)).toEqual(['resolve']);
  const [first] = cli.products();
  expect(await settle([answer(2, ` ${first?._id} `), answer(3, null)])).toMatchObject({
    total: 1,
    doubts: [{ row: 4, key: 'R3' }],
  });
  expect(await cli.outcomesOf(run)).toEqual({ created: 1, failed: 1, 'in-doubt': 1 });
  expect(booksOf(cli.reports('one')).balanced).toBe(true);
  // The description of the run is not that from before.
  expect((await view()).actions.map(({ kind }) => kind)).toEqual(['resolve', 'retry', 'fix', 'undo']);
});

test.each([
  ['an identifier with a blank', [answer(2, 'a b')], 'is not an identifier'],
  ['one identifier for two records', [answer(2, 'id-1'), answer(3, ' id-1')], 'have the same identifier'],
  ['a record that is not in doubt', [answer(3, null), answer(9, null)], 'is not in doubt any more'],
])('%s is refused, and nothing is recorded', async (_, answers, message) => {
  const { doubts, settle } = await doubtfulRun();
  await expect(settle(answers)).rejects.toThrow(message);
  expect((await doubts()).total).toBe(3);
});
