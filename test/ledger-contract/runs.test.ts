import { describe, expect, test } from 'vitest';
import { NEW_RUN } from '../support/new-run.ts';
import { allOf, pagesOf } from '../support/pages.ts';
import { ENGINES, useSession } from './engines.ts';
import { DONE, finished, intentOf, known, ROWS, record, SLOTS, send } from './steps.ts';

describe.each(ENGINES)('a run in $name', (engine) => {
  const session = useSession(engine);

  test('is known with all its data once it has begun', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    const run = await known(session.ledger, NEW_RUN.id);
    expect(run).toEqual({ ...NEW_RUN, number: open.number, state: 'running', whole: false, workedMs: 0 });
    expect(await session.ledger.find('other')).toBeUndefined();
    await open.close();
  });

  test('ends as done, and is whole', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    const files = [{ file: 'a.csv', size: 3, sha256: 'f' }];
    await open.flush();
    await open.keepActivity({ stepMs: 1 } as never);
    await open.end({ ...DONE, files, activity: { stepMs: 2 } as never });
    await open.close();
    const run = await known(session.ledger, NEW_RUN.id);
    expect(run).toMatchObject({ ...{ state: 'done', whole: true, finishedAt: 5000, workedMs: 40 }, files });
    expect(run.activity).toEqual({ stepMs: 2 });
    expect(await session.ledger.reread(run)).toEqual(run);
  });

  test('that stopped says why, keeps its activity, and adds the time of each execution', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    const stopped = { reason: 'interrupted', message: 'Ctrl-C' } as const;
    await open.flush();
    await open.keepActivity({ stepMs: 1 } as never);
    await open.end({ ...DONE, state: 'stopped', stopped, notRead: 3 });
    await open.close();
    const run = await known(session.ledger, NEW_RUN.id);
    expect(run).toMatchObject({
      state: 'stopped',
      whole: false,
      stopped,
      notRead: 3,
      activity: { stepMs: 1 },
    });
    const again = await session.ledger.reopen(run, SLOTS);
    expect(await session.ledger.reread(run)).toMatchObject({ state: 'running', number: run.number });
    await again.flush();
    await again.end(DONE);
    await again.close();
    const last = await session.ledger.reread(run);
    expect(last).toMatchObject({ state: 'done', workedMs: 80 });
    expect(last).not.toHaveProperty('stopped');
    expect(last).not.toHaveProperty('notRead');
  });

  test('comes before earlier ones in the list', async () => {
    for (const id of ['a', 'b', 'c']) await finished(session.ledger, [], { id });
    expect((await session.ledger.runs()).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  test('returns its records in source order, with the rows of incomplete ones', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    const records = [
      record(0, 'created'),
      record(1, 'rejected'),
      record(2, 'updated'),
      record(3, 'in-doubt'),
      record(4, 'created'),
    ];
    await send(
      open,
      [4, 1, 3].map((seq) => records[seq] ?? record(seq, 'created')),
    );
    await send(
      open,
      [0, 2].map((seq) => records[seq] ?? record(seq, 'created')),
    );
    const unsent = [record(5, 'unsent'), record(6, 'unchanged'), record(7, 'duplicate')];
    for (const each of unsent) await open.settle(each, false);
    await open.flush();
    expect(await allOf(open.settled())).toEqual([...records, ...unsent]);
    await open.end(DONE);
    await open.close();
    const run = await known(session.ledger, NEW_RUN.id);
    expect(await allOf(session.ledger.settled(run))).toEqual([...records, ...unsent]);
    expect(await session.ledger.outcomes(run)).toEqual({
      ...{ created: 2, updated: 1, rejected: 1, 'in-doubt': 1, unsent: 1, unchanged: 1, duplicate: 1 },
    });
  });

  test('has all outcomes in its endings, of created records without identifiers', async () => {
    const run = await finished(session.ledger, [
      record(0, 'created'),
      record(1, 'updated'),
      record(2, 'failed'),
    ]);
    const endings = (await allOf(session.ledger.endings(run))).sort((a, b) => a.seq - b.seq);
    expect(endings).toEqual([
      { seq: 0, row: 2, key: 'K0', file: undefined, outcome: { outcome: 'created' } },
      { seq: 1, row: 3, key: 'K1', file: undefined, outcome: { outcome: 'updated', id: 'id-1' } },
      { seq: 2, row: 4, key: 'K2', file: undefined, outcome: { outcome: 'failed', code: 'c' } },
    ]);
  });

  test('of several files has the file of each record that is not complete', async () => {
    const run = await finished(
      session.ledger,
      [record(0, 'failed', { file: 'b.csv' }), record(1, 'created', { file: 'a.csv' })],
      {
        files: [{ file: 'a.csv' }, { file: 'b.csv' }],
      },
    );
    expect((await allOf(session.ledger.settled(run)))[0]).toMatchObject({ seq: 0, file: 'b.csv' });
    const endings = (await allOf(session.ledger.endings(run))).sort((a, b) => a.seq - b.seq);
    expect(endings.map(({ file }) => file)).toEqual(['b.csv', 'a.csv']);
    expect((await allOf(session.ledger.created(run))).map(({ file }) => file)).toEqual(['a.csv']);
  });

  test('keeps the kinds of its issues', async () => {
    const kinds = [
      {
        code: 'required',
        field: 'name',
        count: 2,
        example: 'row 7: name is missing',
        cells: [[8, 'Name']] as const,
      },
      { code: 'other', count: 1, example: '' },
    ];
    const invalid = record(0, 'invalid');
    const run = await finished(session.ledger, [{ ...invalid, outcome: { ...invalid.outcome, kinds } }]);
    expect((await allOf(session.ledger.settled(run)))[0]?.outcome.kinds).toEqual(kinds);
  });

  test('of many records is read page by page', async () => {
    const run = await finished(
      session.ledger,
      Array.from({ length: 2500 }, (_, seq) => record(seq, seq % 2 === 0 ? 'created' : 'failed')),
    );
    const pages = await pagesOf(session.ledger.settled(run));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 2500 }, (_, seq) => seq));
    expect((await allOf(session.ledger.endings(run))).length).toBe(2500);
    expect((await allOf(session.ledger.toRetry(run, ['failed']))).length).toBe(1250);
    expect((await allOf(session.ledger.created(run))).length).toBe(1250);
  });

  test('writes nothing of a record whose intent has no outcome, until it ends', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    await open.intend(intentOf(record(0, 'created')));
    await open.flush();
    expect(await allOf(open.settled())).toEqual([]);
    await open.settle(record(0, 'created'), true);
    await open.flush();
    expect(await allOf(open.settled())).toEqual([record(0, 'created')]);
    await open.close();
  });

  test('has the last checkpoint at or before a record', async () => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    const places = [10, 20, 30].map((seq) => ({
      seq,
      file: 0,
      offset: seq * 100,
      row: seq + 2,
      line: seq + 3,
    }));
    for (const place of places) open.checkpoint(place);
    await open.settle(record(0, 'created'), false);
    await open.flush();
    await open.end(DONE);
    await open.close();
    const run = await known(session.ledger, NEW_RUN.id);
    expect(await session.ledger.checkpointBefore(run, 9)).toBeUndefined();
    expect(await session.ledger.checkpointBefore(run, 20)).toMatchObject(places[1] ?? {});
    expect(await session.ledger.checkpointBefore(run, 29)).toMatchObject(places[1] ?? {});
    expect(await session.ledger.checkpointBefore(run, 1000)).toMatchObject(places[2] ?? {});
  });

  test('that is resumed settles unsent records again, and changes no others', async () => {
    const first = await finished(session.ledger, [
      record(0, 'created'),
      record(1, 'unsent'),
      record(2, 'failed'),
    ]);
    const [page] = await pagesOf(session.ledger.toRetry(first, ['unsent', 'failed']));
    expect(page?.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(page?.[0]?.rows).toEqual(ROWS);
    const open = await session.ledger.reopen(first, SLOTS);
    await send(open, [record(1, 'created'), record(2, 'failed')]);
    await open.flush();
    await open.end(DONE);
    await open.close();
    expect(await allOf(session.ledger.settled(first))).toEqual([
      record(0, 'created'),
      record(1, 'created'),
      record(2, 'failed'),
    ]);
    expect(await session.ledger.outcomes(first)).toEqual({ created: 2, failed: 1 });
  });
});
