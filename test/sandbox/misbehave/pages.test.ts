import { describe, expect, test } from 'vitest';
import type { GivenFaults } from '../../../src/sandbox/index.ts';
import { openSandbox } from '../../support/sandbox/open-sandbox.ts';

const LISTS = ['/api/reviews/search', '/api/datasets/unfulfillment', '/api/images'];

interface Page {
  readonly results: unknown[];
  readonly paginate: { total: number };
}

async function pages(faults: GivenFaults, path: string, count: number, seed = 60): Promise<Page[]> {
  const sandbox = await openSandbox({ seed, faults });
  const all: Page[] = [];
  for (let n = 0; n < count; n++) all.push((await sandbox.get(path)).json);
  return all;
}

const totals = (all: readonly Page[]) => all.map(({ paginate }) => paginate.total);

describe('a filtered list that shifts', () => {
  const FILTERED = [
    '/api/datasets/unfulfillment?field3=recovered&limit=3',
    '/api/reviews/search?rating=5&published=true&limit=3',
  ];

  test.each(FILTERED)('%s: each new item matches the filter and is the first', async (path) => {
    const all = await pages({ shift: 'insert:2' }, path, 7);
    const [first = 0] = totals(all);
    expect(totals(all)).toEqual([0, 0, 1, 1, 2, 2, 3].map((more) => first + more));
    const [one, , three] = all;
    expect(three?.results.slice(1)).toEqual(one?.results.slice(0, 2));
    expect(three?.results[0]).not.toEqual(one?.results[0]);
  });

  test.each(FILTERED)('%s: each removed item is the first of the filtered list', async (path) => {
    const all = await pages({ shift: 'remove:1' }, path, 4);
    const [first = 0] = totals(all);
    expect(totals(all)).toEqual([first, first - 1, first - 2, first - 3]);
    expect(all[1]?.results[0]).toEqual(all[0]?.results[1]);
    expect(all[2]?.results[0]).toEqual(all[0]?.results[2]);
  });

  test('a filter that matches nothing gets no new items', async () => {
    const all = await pages({ shift: 'insert:1', 'last-page-grows': 2 }, '/api/reviews/search?rating=9', 3);
    expect(totals(all)).toEqual([0, 0, 0]);
  });
});

describe.each(LISTS)('%s', (path) => {
  test('can grow from nothing', async () => {
    const all = await pages({ shift: 'insert:1' }, path, 3, 0);
    expect(totals(all)).toEqual([0, 1, 2]);
    expect(all.map(({ results }) => results.length)).toEqual([0, 1, 2]);
  });

  test('can be emptied, and then stays empty', async () => {
    const all = await pages({ shift: 'remove:1' }, path, 6, 4);
    const [first = 0] = totals(all);
    expect(totals(all)).toEqual([0, 1, 2, 3, 4, 5].map((gone) => Math.max(0, first - gone)));
    expect(all.at(-1)?.results).toEqual([]);
  });

  test('never reports a negative total', async () => {
    expect(totals(await pages({ total: '-5' }, path, 1, 0))).toEqual([0]);
  });

  test('is as before after the faults are removed', async () => {
    const sandbox = await openSandbox({ seed: 20 });
    const before = (await sandbox.get(path)).json;
    sandbox.misbehave({ shift: 'insert:1', 'last-page-grows': 5, 'page-limit': 3, total: '+9' });
    for (let n = 0; n < 4; n++) await sandbox.get(path);
    expect((await sandbox.get(path)).json).not.toEqual(before);
    sandbox.misbehave({});
    expect((await sandbox.get(path)).json).toEqual(before);
  });
});

test('created products do not shift', async () => {
  const sandbox = await openSandbox({ faults: { shift: 'insert:1', 'last-page-grows': 5 } });
  for (let n = 0; n < 3; n++) expect((await sandbox.get('/api/products')).json.paginate.total).toBe(0);
});
