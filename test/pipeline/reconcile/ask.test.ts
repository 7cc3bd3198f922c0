import { describe, expect, test } from 'vitest';
import type { KnownRun, Ledger } from '../../../src/ledger/index.ts';
import type { JsonObject } from '../../../src/model/index.ts';
import type { Doubtful } from '../../../src/pipeline/index.ts';
import { askStore } from '../../../src/pipeline/reconcile/ask.ts';
import { customers } from '../../../src/resources/customers.ts';
import { products } from '../../../src/resources/products.ts';

const RUN = {
  number: 1,
  store: 'https://shop.example',
  resource: 'products',
  options: {},
} as unknown as KnownRun;

interface EarlierRun extends Pick<KnownRun, 'store' | 'resource'> {
  readonly created: Readonly<Record<string, string>>;
}

/** A ledger whose run has created these records: key → identifier. `now`: keys whose identifier is another one since. */
function ledgerWith(
  created: Readonly<Record<string, string>>,
  {
    earlier = [],
    now = {},
    gone = [],
  }: {
    readonly earlier?: readonly EarlierRun[];
    readonly now?: Readonly<Record<string, string>>;
    readonly gone?: readonly string[];
  } = {},
): Ledger {
  const runs = [{ ...RUN, created }, ...earlier.map((run, index) => ({ ...run, number: index + 2 }))];
  const of = ({ number }: KnownRun) => {
    const found = runs.find((run) => run.number === number);
    return Object.entries(found?.created ?? {}).map(([key, id], seq) => ({ seq, row: seq + 2, key, id }));
  };
  const current = new Map(
    runs.flatMap((run) => Object.entries({ ...run.created, ...now })).map(([key, id]) => [key, { id }]),
  );
  const known = {
    outcomes: (run: KnownRun) => ({ created: of(run).length }),
    created: (run: KnownRun) => [of(run)],
    runs: async () => runs,
    history: async () => ({
      lookup: async () => current,
      trashed: async () => new Map(gone.map((id) => [id, { run: 'undo', sure: true }])),
    }),
  };
  return known as unknown as Ledger;
}

const doubtfulWith = (...keys: string[]): Doubtful[] =>
  keys.map((key, seq) => ({ ref: [1, seq] as const, run: 'r', row: seq, key, code: 'crash' }));

/** Searches for records in doubt at a store whose list has these pages. */
async function ask(
  doubtful: Doubtful[],
  created: Readonly<Record<string, string>>,
  ...lists: JsonObject[][]
) {
  return askOf(doubtful, ledgerWith(created), () => lists.flat().length, ...lists);
}

const TOKEN = 'tok-3f9a';

/** `total`: the total in the answer with this index. */
async function askOf(
  doubtful: Doubtful[],
  ledger: Ledger,
  total: (answer: number) => number,
  ...lists: JsonObject[][]
) {
  let answers = 0;
  const client = {
    holdsSecret: (text: string) => text.includes(TOKEN),
    async deliver({ path }: { path: string }) {
      const page = Number(new URL(path, 'http://store').searchParams.get('page'));
      const answer = {
        results: lists[page - 1] ?? [],
        paginate: { last_page: lists.length, current_page: page, total: total(answers++) },
      };
      return { verdict: 'done' as const, answer, attempts: 1, durationMs: 1 };
    },
  };
  const of = { ledger, run: RUN, doubtful };
  const { found, known, twice } = await askStore({ client: client as never, concurrency: 2 }, products, of);
  return { found: Object.fromEntries([...found].map(([{ key }, finding]) => [key, finding])), known, twice };
}

const item = (reference: string, _id: string): JsonObject => ({ reference, _id });

describe('the list of the store', () => {
  test('does not prove that a record is missing if the store may have changed its key', async () => {
    const [doubtful] = doubtfulWith('a');
    const other = { ...doubtful, code: 'other-record' } as Doubtful;
    const { found } = await ask([other], { T: '1' }, [item('T', '1')]);
    expect(found).toEqual({});
    expect((await ask([other], { T: '1' }, [item('T', '1'), item('a', '2')])).found).toEqual({
      a: { id: '2' },
    });
  });

  test('proves neither presence nor absence by an item whose identifier is a secret', async () => {
    const { found, known } = await ask(doubtfulWith('a', 'b'), { T: '1' }, [
      item('T', '1'),
      item('a', TOKEN),
    ]);
    expect([found, known]).toEqual([{}, { wanted: 1, seen: 1 }]);
  });

  test('proves presence and absence if it has all known records', async () => {
    const { found, known } = await ask(
      doubtfulWith('a', 'b'),
      { T: '1', M: '2' },
      [item('T', '1'), item(' a ', '3')],
      [item('M', '2')],
    );
    expect(found).toEqual({ a: { id: '3' }, b: 'not-there' });
    expect(known).toEqual({ wanted: 2, seen: 2 });
  });

  test('proves only presence if it lacks a known record', async () => {
    const { found, known } = await ask(doubtfulWith('a', 'b'), { T: '1', M: '2' }, [
      item('T', '1'),
      item('a', '3'),
    ]);
    expect(found).toEqual({ a: { id: '3' } });
    expect(known).toEqual({ wanted: 2, seen: 1 });
  });

  test('proves nothing if it has no known record, or only with other identifiers', async () => {
    expect((await ask(doubtfulWith('a', 'b'), { T: '1' }, [item('a', '3')])).found).toEqual({});
    expect(
      (await ask(doubtfulWith('a', 'b'), { T: '1' }, [item('T', 'other'), item('a', '3')])).found,
    ).toEqual({});
  });

  test('proves only presence if it shrinks faster than it can be read', async () => {
    const shrinking = (answer: number) => Math.max(0, 5 - 2 * answer);
    const lists = [[item('T', '1')], [item('a', '3')], [item('M', '2')]];
    const created = { T: '1', M: '2' };
    const { found } = await askOf(doubtfulWith('a', 'b'), ledgerWith(created), shrinking, ...lists);
    expect(found).toEqual({ a: { id: '3' } });
  });

  test('proves presence with numbers as identifiers too', async () => {
    const lists = [{ reference: 'T', _id: 1 }, item('M', '2'), { reference: 'a', _id: 3 }];
    const { found, known } = await ask(doubtfulWith('a', 'b'), { T: '1', M: '2' }, lists);
    expect(found).toEqual({ a: { id: '3' }, b: 'not-there' });
    expect(known).toEqual({ wanted: 2, seen: 2 });
  });

  test('proves only presence if it has fewer items than the store says', async () => {
    const lists = [[item('T', '1'), item('a', '3')], [item('M', '2')]];
    const created = { T: '1', M: '2' };
    const { found } = await askOf(doubtfulWith('a', 'b'), ledgerWith(created), () => 4, ...lists);
    expect(found).toEqual({ a: { id: '3' } });
  });

  test('proves nothing about a key that it has more than once', async () => {
    const { found, twice } = await ask(
      doubtfulWith('a'),
      { T: '1' },
      [item('T', '1'), item('a', '3')],
      [item('a', '4')],
    );
    expect(found).toEqual({});
    expect(twice).toEqual([{ key: 'a', ids: ['3', '4'] }]);
  });

  test('proves nothing about records without a key', async () => {
    expect((await ask(doubtfulWith(''), { T: '1' }, [item('T', '1')])).found).toEqual({});
  });
});

describe('records that are surely in the store', () => {
  const { store } = RUN;
  const earlier = [{ store, resource: 'products', created: { E: '5' } }];
  const judged = async (ledger: Ledger, ...items: JsonObject[]) =>
    (await askOf(doubtfulWith('a', 'b'), ledger, () => items.length, items)).found;

  test('are those of other runs at the store, if the run itself has too few', async () => {
    expect(await judged(ledgerWith({}, { earlier }), item('E', '5'), item('a', '3'))).toEqual({
      ...{ a: { id: '3' }, b: 'not-there' },
    });
    // All of them must be in the list.
    expect(await judged(ledgerWith({ T: '1' }, { earlier }), item('T', '1'), item('a', '3'))).toEqual({
      a: { id: '3' },
    });
  });

  test('are not those of another store or resource', async () => {
    for (const other of [
      { ...{ store: 'https://other.example', resource: 'products' }, created: { E: '5' } },
      { ...{ store, resource: 'suppliers' }, created: { E: '5' } },
    ])
      await expect(judged(ledgerWith({}, { earlier: [other] }), item('E', '5'))).rejects.toThrow(
        'knows no product that is surely in the store',
      );
  });

  test('are not those that were replaced or put into the trash since', async () => {
    for (const since of [{ now: { E: '6' } }, { gone: ['5'] }])
      await expect(judged(ledgerWith({}, { earlier, ...since }), item('E', '5'))).rejects.toThrow(
        'knows no product that is surely in the store',
      );
  });
});

test('a resource without a list is refused', async () => {
  const of = { ledger: ledgerWith({ T: '1' }), run: RUN, doubtful: [] };
  await expect(askStore({} as never, customers, of)).rejects.toThrow('no list of customers');
});

test('phone numbers and mail addresses in the list are compared in one spelling, in the country of the import', async () => {
  const resource = { ...customers, list: { path: '/api/customers', pageSize: 100, filters: {} } };
  const run = { ...RUN, resource: 'customers', options: { country: 'DE' } } as unknown as KnownRun;
  const doubtful = doubtfulWith('+4930123456', '+1 (415) 555-1234', 'TOM@shop.example', '+436641234567');
  const results = [
    { _id: 'sure', phone: '0049 30 99' },
    { _id: 'a', phone: '(030) 12 34 56' },
    { _id: 'b', phone: '001 415 555 1234' },
    { _id: 'c', email: 'tom@shop.example' },
    { _id: 'd', phone: '0664 1234567', address: { country: { code: 'AT' } } },
  ];
  const client = {
    holdsSecret: () => false,
    deliver: async () => ({
      ...{ verdict: 'done' as const, attempts: 1, durationMs: 1 },
      answer: { results, paginate: { last_page: 1, current_page: 1, total: results.length } },
    }),
  };
  const of = { ledger: ledgerWith({ '+49 30 99': 'sure' }), run, doubtful };
  const { found } = await askStore({ client: client as never, concurrency: 1 }, resource, of);
  expect([...found.values()]).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]);
});
