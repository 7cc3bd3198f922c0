import { describe, expect, test } from 'vitest';
import type { EarlierPlace } from '../../src/ledger/index.ts';
import type { OutcomeStatus, RecordResult } from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { ENGINES, STORE, useSession } from './engines.ts';
import { finished, record } from './steps.ts';

describe.each(ENGINES)('the history of a store in $name', (engine) => {
  const session = useSession(engine);

  const history = (resource = 'products') => session.ledger.history(STORE, resource);
  const withKey = (seq: number, key: string, word: OutcomeStatus = 'created') => ({
    ...record(seq, word),
    key,
  });

  test('knows nothing before the first run', async () => {
    const known = await history();
    expect([known.lookup, known.trashed, known.ids]).toEqual([undefined, undefined, []]);
    expect(await known.lookupAmong('customers')).toBeUndefined();
    expect(await known.findEarlier([{ run: 'r1', row: 2, cells: [] }])).toEqual([undefined]);
    expect(await known.sourcesOf([[1, 0]])).toEqual([undefined]);
  });

  test('knows the keys that may be in the store, with what was sent', async () => {
    const digests = { fields: 'name,price', digests: 'aaaaaaaabbbbbbbb' };
    const words = [
      'created',
      'updated',
      'unchanged',
      'duplicate',
      'invalid',
      'rejected',
      'failed',
      'unsent',
    ] as const;
    const run = await finished(session.ledger, [
      ...words.map((word, seq) => record(seq, word)),
      record(8, 'in-doubt'),
      { ...record(9, 'created'), digests },
    ]);
    const { lookup } = await history();
    const found = await lookup?.(Array.from({ length: 12 }, (_, seq) => `K${seq}`));
    expect([...(found?.keys() ?? [])].sort()).toEqual(['K0', 'K1', 'K8', 'K9']);
    expect(found?.get('K0')).toEqual({ run: 'r1', row: 2, ref: [run.number, 0], id: 'id-0' });
    expect(found?.get('K8')).toEqual({ run: 'r1', row: 10, ref: [run.number, 8], code: 'c' });
    expect(found?.get('K9')).toMatchObject({ digests });
  });

  test('has the latest record of a key', async () => {
    await finished(session.ledger, [record(0, 'created')], { id: 'first' });
    const second = await finished(session.ledger, [withKey(3, 'K0', 'updated')], { id: 'second' });
    await finished(session.ledger, [withKey(4, 'K0', 'failed')], { id: 'third' });
    const found = await (await history()).lookup?.(['K0']);
    expect(found?.get('K0')).toEqual({ run: 'second', row: 5, ref: [second.number, 3], id: 'id-3' });
  });

  test('finds keys in the form in which they are compared', async () => {
    const keys = [' A\u0308-1 ', '\u00a0B\u00a0', '  C ', 'Ann@Shop.example', '😀', 'z', 'Z', '_'];
    await finished(
      session.ledger,
      keys.map((key, seq) => withKey(seq, key)),
      { resource: 'customers' },
    );
    const { lookup } = await history('customers');
    const rows = async (asked: string[]) => {
      const found = await lookup?.(asked);
      return asked.map((key) => found?.get(key)?.row);
    };
    expect(await rows(['Ä-1', 'B', 'C', '😀', 'z', 'Z', '_'])).toEqual([2, 3, 4, 6, 7, 8, 9]);
    // Customers are also found by their address in lower case; no other key is.
    expect(await rows(['Ann@Shop.example', 'ann@shop.example', 'c', 'ä-1', '', ' C'])).toEqual([
      ...[5, 5, undefined, undefined, undefined, undefined],
    ]);
  });

  test('keeps mail addresses as they are in other resources', async () => {
    await finished(session.ledger, [withKey(0, 'Ann@Shop.example')]);
    const found = await (await history()).lookup?.(['ann@shop.example', 'Ann@Shop.example']);
    expect([...(found?.keys() ?? [])]).toEqual(['Ann@Shop.example']);
  });

  test('answers for thousands of keys at once', async () => {
    await finished(
      session.ledger,
      Array.from({ length: 1200 }, (_, seq) => record(seq, 'created')),
    );
    const { lookup } = await history();
    const found = await lookup?.(Array.from({ length: 2400 }, (_, seq) => `K${seq}`));
    expect(found?.size).toBe(1200);
    expect(found?.get('K1199')?.id).toBe('id-1199');
    expect((await lookup?.([]))?.size).toBe(0);
  });

  test('of another resource is apart, and can be asked for references', async () => {
    await finished(session.ledger, [record(0, 'created')], { id: 'p' });
    await finished(session.ledger, [record(1, 'created')], { id: 'c', resource: 'customers' });
    const products = await history();
    expect((await products.lookup?.(['K0', 'K1']))?.size).toBe(1);
    const customers = await products.lookupAmong('customers');
    expect((await customers?.(['K0', 'K1']))?.get('K1')?.run).toBe('c');
    expect(await products.lookupAmong('coupons')).toBeUndefined();
  });

  test('customers are found by the spelling of their key in the file, and by the one that is compared', async () => {
    const keys = [
      '+1 (415) 555-1234',
      '(0049) 30 123456',
      '\u200e+33 1 23 45 67 89',
      'TOM@shop.example',
      'TÖM@shop.example',
    ];
    const records = keys.map((key, seq) => ({ ...record(seq, 'created'), key }));
    await finished(session.ledger, records, { id: 'c', resource: 'customers' });
    const customers = await (await history()).lookupAmong('customers');
    const one = ['+14155551234', '+4930123456', '+33123456789', 'tom@shop.example', 'tÖm@shop.example'];
    const found = await customers?.([...one, ...keys]);
    expect([...one, ...keys].map((key) => found?.get(key)?.id)).toEqual(
      [0, 1, 2, 3, 4, 0, 1, 2, 3, 4].map((seq) => `id-${seq}`),
    );
  });

  test('the history of a store lists the countries of its runs', async () => {
    const about = { resource: NEW_RUN.resource };
    await finished(session.ledger, [record(0, 'created')], { ...about, id: 'a', options: { country: 'DE' } });
    await finished(session.ledger, [record(1, 'created')], { ...about, id: 'b', options: { country: 'DE' } });
    await finished(session.ledger, [record(2, 'created')], { ...about, id: 'c' });
    await finished(session.ledger, [record(3, 'created')], {
      resource: 'customers',
      id: 'd',
      options: { country: 'AT' },
    });
    expect(await (await history()).countries()).toEqual(['DE']);
  });

  test('of a run that is not remembered has none of its keys', async () => {
    await finished(session.ledger, [record(0, 'created')], { remembered: false });
    const known = await history();
    expect([known.lookup, known.ids]).toEqual([undefined, []]);
    expect(await known.findEarlier([{ run: NEW_RUN.id, row: 2, cells: [] }])).toEqual([undefined]);
  });

  test('has identifiers that the store assigned, not those that a user entered', async () => {
    await finished(session.ledger, [record(0, 'created'), record(1, 'updated')]);
    const adopted = record(0, 'unchanged');
    await finished(session.ledger, [{ ...adopted, key: 'X', outcome: { ...adopted.outcome, id: 'typed' } }], {
      ...{ id: 'adopt', command: 'adopt' },
    });
    const known = await history();
    expect([...known.ids].sort()).toEqual(['id-0', 'id-1']);
    expect((await known.lookup?.(['X']))?.get('X')?.id).toBe('typed');
  });

  test('says from which file a record was imported', async () => {
    const files = [{ file: 'a.csv', path: '/data/a.csv' }, { file: '-' }];
    const first = await finished(
      session.ledger,
      [record(0, 'failed', { file: 'a.csv' }), record(1, 'failed', { file: '-' })],
      {
        files,
      },
    );
    const adopt = await finished(session.ledger, [record(0, 'unchanged')], { id: 'adopt', command: 'adopt' });
    expect(
      await (await history()).sourcesOf([
        [first.number, 1],
        [adopt.number, 0],
        [first.number, 0],
        [first.number, 99],
      ]),
    ).toEqual([
      { run: 'r1', file: '-' },
      undefined,
      { run: 'r1', file: 'a.csv', path: '/data/a.csv' },
      undefined,
    ]);
  });

  test('has the trash that an undo made, until a later import updates a record', async () => {
    const put = (seq: number, id: string, word: OutcomeStatus, attempts: number): RecordResult => {
      const { outcome, ...rest } = record(seq, word);
      return { ...rest, outcome: { ...outcome, id, attempts } };
    };
    await finished(
      session.ledger,
      [put(0, 'sure', 'updated', 1), put(1, 'maybe', 'failed', 1), put(2, 'no', 'failed', 0)],
      {
        ...{ id: 'undo', command: 'undo' },
      },
    );
    const ids = ['sure', 'maybe', 'no', 'other'];
    expect(await (await history()).trashed?.(ids)).toEqual(
      new Map([
        ['sure', { run: 'undo', sure: true }],
        ['maybe', { run: 'undo', sure: false }],
      ]),
    );
    expect((await history('customers')).trashed).toBeUndefined();
    await finished(session.ledger, [put(0, 'sure', 'updated', 1)], { id: 'later' });
    expect([...((await (await history()).trashed?.(ids))?.keys() ?? [])]).toEqual(['maybe']);
  });

  const find = async (...places: EarlierPlace[]) => (await history()).findEarlier(places);

  test('finds the earlier record of a row, complete or not, and what became of it', async () => {
    const rows = [
      { row: 4, cells: ['a', 'b'] },
      { row: 5, cells: ['', 'c'] },
    ];
    const first = await finished(session.ledger, [
      { ...record(0, 'created'), row: 2 },
      { ...record(1, 'rejected'), row: 4, rows },
      { ...record(2, 'created'), row: 6 },
    ]);
    const later = await finished(
      session.ledger,
      [{ ...record(9, 'created'), supersedes: [[first.number, 1]] }],
      {
        id: 'r2',
      },
    );
    const at = (row: number, run = 'r1'): EarlierPlace => ({ run, row, cells: ['a', 'B'] });
    const [before, lead, second, complete, past, other] = await find(
      at(3),
      at(4),
      at(5),
      at(6),
      at(99),
      at(2, 'none'),
    );
    expect(before).toMatchObject({ ref: [first.number, 0], outcome: 'created', files: 1, header: ['name'] });
    expect(before?.rows).toBeUndefined();
    const current = { run: 'r2', ref: [later.number, 9], row: 11, outcome: 'created', code: '' };
    expect(lead).toMatchObject({
      ...{
        ref: [first.number, 1],
        outcome: 'rejected',
        code: 'c',
        field: 'name',
        message: 'it is wrong',
        rows,
      },
      current,
    });
    expect(second).toEqual(lead);
    expect(complete).toMatchObject({
      ref: [first.number, 2],
      current: { run: 'r1', ref: [first.number, 2], row: 6 },
    });
    expect(past?.ref).toEqual([first.number, 2]);
    expect(other).toBeUndefined();
  });

  test('finds the record of the file whose row shares most cells', async () => {
    const files = [{ file: 'a.csv' }, { file: 'b.csv' }];
    const kept = (seq: number, file: string, cells: string[]): RecordResult => ({
      ...{ ...record(seq, 'failed'), row: 2, file, rows: [{ row: 2, cells }] },
    });
    const run = await finished(
      session.ledger,
      [
        kept(0, 'a.csv', ['mug', 'red', '1']),
        kept(1, 'b.csv', ['cup', 'red', '2']),
        { ...record(2, 'created'), row: 3 },
      ],
      { files },
    );
    const refs = (
      await find({ run: 'r1', row: 2, cells: ['CUP', 'red', '2'] }, { run: 'r1', row: 3, cells: [] })
    ).map((found) => found?.ref);
    expect(refs).toEqual([
      [run.number, 1],
      [run.number, 2],
    ]);
  });

  test('finds rows among many records, in the order asked', async () => {
    const run = await finished(
      session.ledger,
      Array.from({ length: 1000 }, (_, seq) => record(seq, seq % 7 === 0 ? 'failed' : 'created')).map(
        (each) => ({
          ...each,
          row: 3 * each.seq,
          ...(each.rows ? { rows: [{ row: 3 * each.seq, cells: [] }] } : {}),
        }),
      ),
    );
    const places = Array.from({ length: 600 }, (_, index) => ({
      run: 'r1',
      row: (index * 577) % 3000,
      cells: [],
    }));
    const found = await find(...places);
    for (const [index, { row }] of places.entries()) {
      // A complete record has no rows here; one that is not has only its first.
      const seq = Math.floor(row / 3);
      const expected = seq % 7 === 0 && row % 3 !== 0 ? undefined : [run.number, seq];
      expect({ row, ref: found[index]?.ref }).toEqual({ row, ref: expected });
    }
  });
});
