import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { type SoundPage, withoutGaps } from '../../../src/store/pagination/gap-detection.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { type Event, readAll, SIZE, shiftingStore } from './shifting-store.ts';

const idsOf = (got: readonly SoundPage[]) =>
  got.flatMap(({ items }) => items.map(({ _id }: JsonObject) => String(_id)));

const namesOf = (items: readonly JsonObject[]) => items.map(({ _id }) => String(_id));

const quiet = fc.constant(undefined);
const adding = fc.array(fc.oneof(quiet, fc.record({ added: fc.integer({ min: 1, max: 7 }) })), {
  maxLength: 60,
});
const removing = fc.array(fc.oneof(quiet, fc.record({ removed: fc.nat({ max: 60 }) })), { maxLength: 60 });
const late = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 10 });

const empties = fc.array(fc.nat({ max: 30 }), { maxLength: 15 });

/** Items at the beginning, events, delays of answers, empty answers, and concurrency. */
const world = (events: fc.Arbitrary<Event[]>) =>
  fc.tuple(fc.integer({ min: 0, max: 60 }), events, late, empties, fc.integer({ min: 1, max: 6 }));

describe.each([
  ['grows at the front', adding],
  ['shrinks', removing],
] as const)('a list that %s while it is read', (_, events) => {
  test('shows each item that was in it throughout, in any order of answers', async () => {
    await fc.assert(
      fc.asyncProperty(world(events), async ([count, happening, turns, empty, concurrency]) => {
        const store = shiftingStore(count, happening, turns, empty);
        const got = await readAll(store, concurrency, true);
        const missing = namesOf(store.throughout()).filter((id) => !idsOf(got).includes(id));
        if (got.every(({ sure }) => sure)) expect(missing).toEqual([]);
      }),
      { numRuns: scaledRuns(400) },
    );
  });

  test('shows each item once, also without identifiers', async () => {
    await fc.assert(
      fc.asyncProperty(world(events), async ([count, happening, turns, empty, concurrency]) => {
        const store = shiftingStore(count, happening, turns, empty);
        const got = await readAll(store, concurrency, false);
        if (!got.every(({ sure }) => sure)) return;
        const ids = idsOf(got);
        const throughout = namesOf(store.throughout());
        expect(ids.filter((id) => throughout.includes(id)).toSorted()).toEqual(throughout.toSorted());
      }),
      { numRuns: scaledRuns(400) },
    );
  });
});

describe('pages', () => {
  test.each([23, 25])('of a list of %d that does not change are read once', async (count) => {
    const store = shiftingStore(count, [], [3, 0, 1]);
    const got = await readAll(store, 4, true);
    expect(got.map(({ page, again }) => [page, again])).toEqual([1, 2, 3, 4, 5].map((page) => [page, false]));
    expect(idsOf(got)).toEqual(namesOf(store.throughout()));
  });

  test.each([
    ['an item is removed', [undefined, undefined, { removed: 0 }], [0], 1],
    ['three items are removed', [undefined, undefined, { removed: 0, times: 3 }], [0], 1],
    // The first page is read alone. Of the next two, the second is answered first.
    [
      'one is added, and pages are looked up out of order',
      [undefined, undefined, { added: 1 }],
      [0, 5, 0],
      2,
    ],
  ] as const)('are certainly complete if between them %s', async (_, events, turns, concurrency) => {
    for (const hasIds of [true, false]) {
      const store = shiftingStore(23, events, turns);
      const got = await readAll(store, concurrency, hasIds);
      expect(got.some(({ again }) => again)).toBe(true);
      expect(got.every(({ sure }) => sure)).toBe(true);
      const ids = idsOf(got).filter((id) => namesOf(store.throughout()).includes(id));
      expect((hasIds ? [...new Set(ids)] : ids).toSorted()).toEqual(namesOf(store.throughout()).toSorted());
    }
  });

  test('are returned as unsure if the list changes faster than it can be read', async () => {
    const store = shiftingStore(200, Array(200).fill({ removed: 0, times: SIZE + 1 }), [0]);
    const got = await readAll(store, 1, true);
    expect(got.some(({ sure }) => !sure)).toBe(true);
    expect(got.length).toBeLessThan(200);
  });

  test('are unsure if a second reading gives too few items', async () => {
    const page = (page: number, total: number, short = false) => ({
      page,
      items: [],
      paginate: { total },
      short,
    });
    async function* read() {
      yield page(1, 10);
      yield page(2, 9);
    }
    const got = [];
    const readAgain = async (number: number) => page(number, 9, number === 1);
    for await (const each of withoutGaps(read(), { readAgain, id: '_id' })) got.push(each);
    expect(got.map(({ again, sure }) => [again, sure])).toContainEqual([true, false]);
  });
});
