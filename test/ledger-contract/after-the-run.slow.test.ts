import { describe, expect, test } from 'vitest';
import type { KnownRun } from '../../src/ledger/index.ts';
import type { OutcomeStatus, RecordResult } from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { allOf } from '../support/pages.ts';
import { ENGINES, useSession } from './engines.ts';
import { DONE, finished, record, SLOTS, send } from './steps.ts';

describe.each(ENGINES)('after a run in $name', (engine) => {
  const session = useSession(engine);

  const statusesOf = async (run: KnownRun): Promise<OutcomeStatus[]> =>
    (await allOf(session.ledger.settled(run))).map(({ outcome }) => outcome.outcome);

  /** A run that imports the record again that another run has as its first. */
  const again = (id: string, { number }: KnownRun, word: OutcomeStatus): Promise<KnownRun> =>
    finished(session.ledger, [record(0, word, { supersedes: [[number, 0]] })], { id });

  test('a record that was imported again has its current outcome, everywhere', async () => {
    const first = await finished(session.ledger, [record(0, 'failed'), record(1, 'created')], {
      id: 'first',
    });
    const second = await again('second', first, 'rejected');
    expect(await statusesOf(first)).toEqual(['rejected', 'created']);
    const third = await again('third', second, 'created');
    expect(await statusesOf(first)).toEqual(['created', 'created']);
    expect(await statusesOf(second)).toEqual(['created']);
    expect(await session.ledger.outcomes(first)).toEqual({ created: 2 });
    expect(await allOf(session.ledger.toRetry(first, ['failed', 'rejected']))).toEqual([]);
    expect((await allOf(session.ledger.settled(first)))[0]?.supersededBy).toEqual({
      run: 'third',
      ref: [third.number, 0],
    });
    expect((await allOf(session.ledger.endings(first))).find(({ seq }) => seq === 0)).toMatchObject({
      outcome: { outcome: 'created', id: 'id-0' },
      supersededBy: { run: 'third', ref: [third.number, 0] },
    });
    expect((await allOf(session.ledger.created(first))).map(({ id }) => id)).toEqual(['id-0', 'id-1']);
  });

  test('a complete record stays complete if it is imported once more and left incomplete', async () => {
    const first = await finished(session.ledger, [record(0, 'invalid')], { id: 'first' });
    await again('second', first, 'created');
    await again('third', first, 'invalid');
    expect(await statusesOf(first)).toEqual(['created']);
  });

  test('a record that waited for a doubt is in doubt with it, and unsent once that is over', async () => {
    const first = await finished(session.ledger, [record(0, 'in-doubt'), record(1, 'in-doubt')], {
      id: 'first',
    });
    const waiting = (seq: number): RecordResult => {
      const { outcome, ...rest } = record(seq, 'in-doubt');
      return { ...rest, outcome: { ...outcome, attempts: 0 }, sharesOutcomeOf: [first.number, seq] };
    };
    const second = await finished(session.ledger, [waiting(0), waiting(1)], { id: 'second' });
    const released = await session.ledger.amend([
      { run: first.number, seq: 0, outcome: { outcome: 'created', id: 'found' } },
    ]);
    expect(released).toEqual([{ run: 'second', records: 1 }]);
    expect(await statusesOf(first)).toEqual(['created', 'in-doubt']);
    const [over] = await allOf(session.ledger.settled(second));
    expect(over).toMatchObject({ outcome: { outcome: 'unsent', code: 'doubt-over' } });
    expect(over?.rows).toEqual(record(0, 'in-doubt').rows);
    expect(over?.supersededBy).toBeUndefined();
    expect(await session.ledger.outcomes(second)).toEqual({ unsent: 1, 'in-doubt': 1 });
    expect((await allOf(session.ledger.toRetry(second, ['unsent']))).map(({ seq }) => seq)).toEqual([0]);
    const rest = await session.ledger.amend([
      { run: first.number, seq: 1, outcome: { outcome: 'failed', code: 'not-there' } },
    ]);
    expect(rest).toEqual([{ run: 'second', records: 1 }]);
    expect(await statusesOf(second)).toEqual(['unsent', 'unsent']);
  });

  test('what later runs of the resource have settled is known to an older run, the latest first', async () => {
    const older = await finished(session.ledger, [record(0, 'unsent')], { id: 'older' });
    await finished(session.ledger, [record(0, 'created'), record(1, 'failed')], { id: 'middle' });
    await finished(session.ledger, [record(9, 'created')], { id: 'customers', resource: 'customers' });
    await finished(session.ledger, [record(9, 'updated')], { id: 'undo', command: 'undo' });
    const found = record(2, 'unchanged');
    const withCode = record(3, 'unchanged');
    await finished(
      session.ledger,
      [
        { ...found, outcome: { ...found.outcome, id: 'id-2' } },
        { ...withCode, outcome: { ...withCode.outcome, code: 'no-changes' } },
        record(4, 'in-doubt'),
        { ...record(5, 'in-doubt'), outcome: { outcome: 'in-doubt', attempts: 0, durationMs: 0 } },
      ],
      { id: 'latest' },
    );
    expect(await allOf(session.ledger.settledAfter(older))).toEqual([
      { run: 'latest', key: 'K2', id: 'id-2' },
      { run: 'latest', key: 'K4' },
      { run: 'middle', key: 'K0', id: 'id-0' },
    ]);
  });

  test('a record that was settled with a doubt, and is sent once that is over, has its own outcome', async () => {
    const first = await finished(session.ledger, [record(0, 'in-doubt')], { id: 'first' });
    const shared: RecordResult = { ...record(0, 'in-doubt'), sharesOutcomeOf: [first.number, 0] };
    const second = await finished(session.ledger, [shared, record(1, 'created')], { id: 'second' });
    const unsent = { outcome: 'unsent', attempts: 0, durationMs: 0 } as const;
    await session.ledger.amend([{ run: first.number, seq: 0, outcome: unsent }]);
    const resumed = await session.ledger.reopen(second, SLOTS);
    await send(resumed, [record(0, 'created')]);
    await resumed.flush();
    await resumed.end(DONE);
    await resumed.close();
    expect(await statusesOf(second)).toEqual(['created', 'created']);
    expect(await session.ledger.outcomes(second)).toEqual({ created: 2 });
    expect(await statusesOf(first)).toEqual(['unsent']);
  });

  test('a record that an older run creates after the doubt of a newer one was settled is known to both', async () => {
    const older = await finished(session.ledger, [record(1, 'created')], { id: 'older' });
    const newer = await finished(session.ledger, [record(0, 'in-doubt')], { id: 'newer' });
    const lookup = async (resumed: KnownRun) => {
      const history = await session.ledger.history(NEW_RUN.store, NEW_RUN.resource, resumed);
      return (await history.lookup?.(['K0']))?.get('K0');
    };
    expect(await lookup(older)).toMatchObject({ run: 'newer' });
    const unsent = { outcome: 'unsent', attempts: 0, durationMs: 0 } as const;
    await session.ledger.amend([{ run: newer.number, seq: 0, outcome: unsent }]);
    expect(await lookup(older)).toBeUndefined();
    const resumed = await session.ledger.reopen(older, SLOTS);
    await send(resumed, [record(0, 'created')]);
    await resumed.flush();
    await resumed.end(DONE);
    await resumed.close();
    expect(await lookup(newer)).toMatchObject({ run: 'older', id: 'id-0' });
  });

  test('the rows of the current record are under the columns of the first run', async () => {
    const first = await finished(session.ledger, [record(0, 'failed')], {
      id: 'first',
      header: ['name', 'price', 'name'],
    });
    const rows = [{ row: 7, cells: ['3.50', 'Mug', 'Cup', 'x'] }];
    await finished(session.ledger, [record(0, 'rejected', { rows, supersedes: [[first.number, 0]] })], {
      ...{ id: 'second', header: ['price', 'name', 'name', 'code'] },
    });
    expect((await allOf(session.ledger.settled(first)))[0]?.rows).toEqual([
      { row: 7, cells: ['Mug', '3.50', 'Cup'] },
    ]);
  });

  test('an amendment changes outcome, identifier, code and message, and forgets rows of complete records', async () => {
    const run = await finished(session.ledger, [
      record(0, 'in-doubt'),
      record(1, 'in-doubt'),
      record(2, 'in-doubt'),
    ]);
    await session.ledger.amend([
      { run: run.number, seq: 0, outcome: { outcome: 'created', id: 'found' } },
      {
        run: run.number,
        seq: 1,
        outcome: { outcome: 'failed', code: 'not-there', message: 'it is not there' },
      },
    ]);
    const [created, failed, untouched] = await allOf(session.ledger.settled(run));
    expect(created).toMatchObject({ outcome: { outcome: 'created', id: 'found', field: 'name' } });
    expect(created?.outcome.code).toBeUndefined();
    expect(created?.rows).toBeUndefined();
    expect(failed).toMatchObject({
      outcome: { outcome: 'failed', code: 'not-there', message: 'it is not there' },
    });
    expect(failed?.rows).toBeDefined();
    expect(untouched).toEqual(record(2, 'in-doubt'));
    expect((await allOf(session.ledger.toRetry(run, ['failed']))).map(({ seq }) => seq)).toEqual([1]);
  });

  test('amendments are all made or none', async () => {
    const run = await finished(session.ledger, [record(0, 'in-doubt')]);
    const outcome = { outcome: 'created' as const, id: 'found' };
    await expect(
      session.ledger.amend([
        { run: run.number, seq: 0, outcome },
        // No engine takes a record without an outcome.
        { run: run.number, seq: 0, outcome: { ...outcome, outcome: null as never } },
        ...Array.from({ length: 600 }, (_, seq) => ({ run: run.number, seq: seq + 1, outcome })),
      ]),
    ).rejects.toThrow();
    expect(await statusesOf(run)).toEqual(['in-doubt']);
  });

  test('the latest records with an identifier come first, of this resource only, and none of an undo', async () => {
    const created = (seq: number, id: string) => ({
      ...record(seq, 'created'),
      outcome: { ...record(seq, 'created').outcome, id },
    });
    const first = await finished(session.ledger, [created(0, 'a'), created(1, 'b')], { id: 'first' });
    await finished(session.ledger, [created(0, 'a')], { id: 'customers', resource: 'customers' });
    await finished(session.ledger, [created(0, 'a')], { id: 'undo', command: 'undo' });
    await finished(session.ledger, [record(0, 'failed')], { id: 'failed' });
    const last = await finished(session.ledger, [created(5, 'a')], { id: 'last' });
    expect(await session.ledger.holders(first, ['a', 'none'])).toEqual([
      { id: 'a', run: 'last', row: 7, key: 'K5', ref: [last.number, 5] },
      { id: 'a', run: 'first', row: 2, key: 'K0', ref: [first.number, 0] },
    ]);
    expect(await session.ledger.holders(first, [])).toEqual([]);
  });

  test('records for which a retry is useless are not retried', async () => {
    const unsent = record(0, 'unsent');
    const useless = { ...unsent, outcome: { ...unsent.outcome, code: 'no-update' } };
    const run = await finished(session.ledger, [useless, record(1, 'unsent')], { id: NEW_RUN.id });
    expect((await allOf(session.ledger.toRetry(run, ['unsent']))).map(({ seq }) => seq)).toEqual([1]);
  });
});
