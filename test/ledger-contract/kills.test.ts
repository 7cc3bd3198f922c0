import { describe, expect, test } from 'vitest';
import { NEW_RUN } from '../support/new-run.ts';
import { allOf } from '../support/pages.ts';
import { ENGINES, entered, STORE, useSession } from './engines.ts';
import { DONE, finished, intentOf, known, ROWS, record, SLOTS, send } from './steps.ts';

describe.each(ENGINES)('a run in $name that was killed', (engine) => {
  const session = useSession(engine);

  test('has stopped, and its creates without an outcome are in doubt, with their rows', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    await send(open, [record(0, 'created')]);
    await open.intend(intentOf(record(1, 'created')));
    await open.close();
    await session.killed();
    const { ledger } = session;
    expect(session.died).toEqual([NEW_RUN.id]);
    const run = await known(ledger, NEW_RUN.id);
    expect(run).toMatchObject({ state: 'stopped', stopped: { reason: 'crashed' }, whole: false });
    expect(run).not.toHaveProperty('notRead');
    const [first, second] = await allOf(ledger.settled(run));
    expect(first).toEqual(record(0, 'created'));
    expect(second).toMatchObject({
      ...{ seq: 1, row: 3, key: 'K1', rows: ROWS },
      outcome: { outcome: 'in-doubt', code: 'crash', attempts: 1 },
    });
  });

  test('knows nothing of updates without an outcome: they are sent again', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    await open.intend(intentOf(record(0, 'updated'), 'update'));
    await open.close();
    await session.killed();
    const run = await known(session.ledger, NEW_RUN.id);
    expect(await allOf(session.ledger.settled(run))).toEqual([]);
    expect(await session.ledger.outcomes(run)).toEqual({});
  });

  test('has failed updates if it was an undo, which cannot be resumed', async () => {
    const open = await session.ledger.begin({ ...NEW_RUN, command: 'undo' }, SLOTS);
    await open.intend(intentOf(record(0, 'updated'), 'update', [{ row: 2, cells: ['id-7', 'x'] }]));
    await open.close();
    await session.killed();
    const run = await known(session.ledger, NEW_RUN.id);
    expect(await allOf(session.ledger.settled(run))).toMatchObject([
      { seq: 0, outcome: { outcome: 'failed', code: 'crash', id: 'id-7' } },
    ]);
    expect(await (await session.ledger.history(STORE, 'products')).trashed?.(['id-7'])).toEqual(
      new Map([['id-7', { run: NEW_RUN.id, sure: false }]]),
    );
  });

  test('leaves what it created to later runs', async () => {
    const digests = { fields: 'name', digests: 'aaaaaaaa' };
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    await send(open, [record(0, 'created')]);
    await open.intend(intentOf({ ...record(1, 'created'), digests }));
    await open.close();
    await session.killed();
    const history = await session.ledger.history(STORE, 'products');
    const found = await history.lookup?.(['K0', 'K1']);
    expect(found?.get('K0')).toMatchObject({ id: 'id-0' });
    expect(found?.get('K1')).toMatchObject({ code: 'crash', digests });
    expect(found?.get('K1')).not.toHaveProperty('id');
  });

  test('knows its own keys when it is resumed: the history has none of them', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    await send(open, [record(0, 'created')]);
    await open.close();
    await session.killed();
    const run = await known(session.ledger, NEW_RUN.id);
    expect((await session.ledger.history(STORE, 'products', run)).lookup).toBeUndefined();
    const again = await session.ledger.reopen(run, SLOTS);
    await send(again, [record(1, 'created')]);
    await again.flush();
    await again.end(DONE);
    await again.close();
    const history = await session.ledger.history(STORE, 'products');
    expect((await history.lookup?.(['K0', 'K1']))?.size).toBe(2);
  });

  test('is settled once: the next process finds nothing of it', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    await open.intend(intentOf(record(0, 'created')));
    await open.close();
    await session.killed();
    const settled = await allOf(session.ledger.settled(await known(session.ledger, NEW_RUN.id)));
    await session.killed();
    expect(session.died).toEqual([]);
    expect(await allOf(session.ledger.settled(await known(session.ledger, NEW_RUN.id)))).toEqual(settled);
  });

  test('after many records has all of them, and is in doubt only of those in flight', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    const records = Array.from({ length: 1500 }, (_, seq) =>
      record(seq, seq % 5 === 0 ? 'rejected' : 'created'),
    );
    for (let at = 0; at < records.length; at += 100)
      await Promise.all(
        records.slice(at, at + 100).map(async (each) => {
          await open.intend(intentOf(each));
          await open.settle(each, true);
        }),
      );
    await Promise.all([1500, 1501, 1502].map((seq) => open.intend(intentOf(record(seq, 'created')))));
    await open.close();
    await session.killed();
    const run = await known(session.ledger, NEW_RUN.id);
    const settled = await allOf(session.ledger.settled(run));
    // An outcome counts once a later intent is written.
    const seqs = settled.map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 1503 }, (_, seq) => seq));
    const doubts = settled.filter(({ outcome }) => outcome.outcome === 'in-doubt').map(({ seq }) => seq);
    expect(doubts).toEqual([1500, 1501, 1502]);
  });

  test('while it was resumed keeps its records, and those that were settled again', async () => {
    const first = await finished(session.ledger, [
      record(0, 'created'),
      record(1, 'failed'),
      record(2, 'failed'),
    ]);
    const open = await session.ledger.reopen(first, SLOTS);
    await send(open, [record(1, 'created')]);
    await open.intend(intentOf(record(2, 'created')));
    await open.close();
    await session.killed();
    const settled = await allOf(session.ledger.settled(first));
    expect(settled.map(({ outcome }) => outcome.outcome)).toEqual(['created', 'created', 'in-doubt']);
    expect(await session.ledger.reread(first)).toMatchObject({ state: 'stopped', whole: true, notRead: 0 });
  });

  test('keeps links to the records that it imported again', async () => {
    const first = await finished(session.ledger, [record(0, 'failed')], { id: 'first' });
    const open = await session.ledger.begin({ ...NEW_RUN, id: 'second' }, SLOTS);
    await open.intend(intentOf({ ...record(0, 'created'), supersedes: [[first.number, 0]] }));
    await open.close();
    await session.killed();
    expect((await allOf(session.ledger.settled(first)))[0]).toMatchObject({
      ...{ outcome: { outcome: 'in-doubt', code: 'crash' }, supersededBy: { run: 'second' } },
    });
  });
});

describe.each(ENGINES)('two processes with a ledger in $name', ({ start }) => {
  test('exclude each other, until the first leaves', async () => {
    const engine = await start();
    const tables = await engine.create();
    try {
      const first = await entered(tables);
      expect(await tables.enter()).toBeUndefined();
      const run = await finished(first.ledger, [record(0, 'created')]);
      await first.leave();
      const second = await entered(tables);
      expect(second.died).toEqual([]);
      expect(await second.ledger.find(run.id)).toEqual(run);
      await second.leave();
    } finally {
      await tables.remove();
      await engine.stop();
    }
  });
});
