import { describe, expect, test } from 'vitest';
import type { GivenFaults } from '../../../src/sandbox/index.ts';
import { openSandbox } from '../../support/sandbox/open-sandbox.ts';

describe('a list that changes while it is read', () => {
  async function paged(faults: GivenFaults, pages: number, limit = 10) {
    const sandbox = await openSandbox({ seed: 30 });
    sandbox.misbehave(faults);
    const all = [];
    for (let page = 1; page <= pages; page++)
      all.push((await sandbox.get(`/api/reviews/search?page=${page}&limit=${limit}`)).json);
    return all as { results: { _id: string }[]; paginate: Record<string, number> }[];
  }
  const place = ({ _id }: { _id: string }) => Number.parseInt(_id.slice(8), 16);

  test('has a new item in front: the last item of one page is the first of the next', async () => {
    const [first, second, third] = await paged({ shift: 'insert:1' }, 3);
    expect(first?.results.map(place)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(second?.results.map(place)).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    expect(third?.results.map(place)[0]).toBe(18);
    expect([first, second, third].map((page) => page?.paginate.total)).toEqual([30, 31, 32]);
  });

  test('loses its first item: one item is skipped', async () => {
    const [first, second] = await paged({ shift: 'remove:1' }, 2);
    expect(first?.results.map(place).at(-1)).toBe(9);
    expect(second?.results.map(place)[0]).toBe(11);
    expect(second?.paginate.total).toBe(29);
  });

  test('grows on its last page, for the given number of times', async () => {
    const all = await paged({ 'last-page-grows': 2 }, 5, 29);
    expect(all.map(({ results }) => results.length)).toEqual([29, 1, 0, 0, 0]);
    const sandbox = await openSandbox({ seed: 5 });
    sandbox.misbehave({ 'last-page-grows': 2 });
    const totals = [];
    for (let n = 0; n < 4; n++)
      totals.push((await sandbox.get('/api/images?page=1&limit=10')).json.results.length);
    expect(totals).toEqual([5, 6, 7, 7]);
  });

  test('may have pages smaller than requested, a wrong or no total, equal pages, and a page without items', async () => {
    const [small] = await paged({ 'page-limit': 4 }, 1);
    expect(small?.paginate).toEqual({ total: 30, per_page: 4, current_page: 1, last_page: 8 });
    expect(small?.results).toHaveLength(4);
    expect((await paged({ total: '+5' }, 1))[0]?.paginate).toMatchObject({ total: 35, last_page: 3 });
    expect((await paged({ total: 'absent' }, 1))[0]?.paginate.total).toBeUndefined();
    const [one, two] = await paged({ 'ignore-page': 'yes' }, 2);
    expect(two).toEqual(one);
    const lengths = (await paged({ 'empty-page': '#2' }, 3)).map(({ results }) => results.length);
    expect(lengths).toEqual([10, 0, 10]);
  });

  test('has new items that match the filter', async () => {
    const sandbox = await openSandbox({ seed: 30 });
    sandbox.misbehave({ shift: 'insert:1' });
    for (let n = 0; n < 20; n++) await sandbox.get('/api/reviews/search');
    const { json } = await sandbox.get('/api/reviews/search?rating=5&limit=100');
    expect(json.results.length).toBeGreaterThan(0);
    expect(json.results.every(({ rating }: { rating: number }) => rating === 5)).toBe(true);
  });
});
