import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/index.ts';
import { wholeSettled } from '../../../src/pipeline/run/pruned.ts';
import { NEW_RUN } from '../../support/new-run.ts';
import { allOf } from '../../support/pages.ts';
import { temporaryFolder } from '../../support/run.ts';

test('a run that another process prunes while it is read is refused at the end, and not shown in part', async () => {
  const home = temporaryFolder();
  const ledger = openLedger(home);
  const unlock = ledger.tryLock(NEW_RUN.store, 'test');
  const open = await ledger.begin(NEW_RUN, 4);
  for (let seq = 0; seq < 3; seq++)
    open.settle(
      { seq, row: seq + 2, key: `k${seq}`, outcome: { outcome: 'unchanged', attempts: 0, durationMs: 0 } },
      false,
    );
  await open.flush();
  await open.end({ state: 'done', files: NEW_RUN.files, finishedAt: 2, workedMs: 1 });
  await open.close();
  if ('unlock' in unlock) unlock.unlock();
  const [run] = await ledger.runs();
  if (!run) throw new Error('no run');
  expect(await allOf(wholeSettled(ledger, run, 'shown'))).toHaveLength(3);
  const records = wholeSettled(ledger, run, 'shown');
  await records.next();
  const other = openLedger(home);
  await other.lock(NEW_RUN.store, 'prune');
  other.prune(run, { at: 5, isTrial: false });
  await other.close();
  await expect(allOf(records)).rejects.toThrow(`The run ${run.id} was pruned on 1970-01-01`);
  await ledger.close();
});
