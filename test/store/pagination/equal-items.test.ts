import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, RunStopped } from '../../../src/model/index.ts';
import type { SoundPage } from '../../../src/store/pagination/gap-detection.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { type Event, readAll, shiftingStore } from './shifting-store.ts';

const wordOf = (item: JsonObject) => String(item.word);

function countsOf(items: readonly JsonObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of items.map(wordOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Words that were read less often than the list had them throughout, or more often than it ever had them. */
function wrongIn(got: readonly SoundPage[], store: ReturnType<typeof shiftingStore>): string[] {
  const written = countsOf(got.flatMap(({ items }) => items));
  const [least, most] = [countsOf(store.throughout()), countsOf(store.ever())];
  return [...most.keys()].filter((word) => {
    const count = written.get(word) ?? 0;
    return count < (least.get(word) ?? 0) || count > (most.get(word) ?? 0);
  });
}

/** A store with items of few words, added one after the other. */
function storeOf(words: readonly string[], events: readonly Event[], late: readonly number[] = [0]) {
  let made = 0;
  const itemOf = () => ({ word: words[made++ % words.length] as string });
  return (count: number) => shiftingStore(count, events, late, [], itemOf);
}

const isSure = (got: readonly SoundPage[]) => got.every(({ sure }) => sure);

const quiet = fc.constant(undefined);
const place = fc.nat({ max: 60 });
const adding = fc.oneof(
  { weight: 3, arbitrary: quiet },
  fc.record({ added: fc.integer({ min: 1, max: 4 }), at: fc.oneof(fc.constant(0), place) }),
);
const removing = fc.oneof(
  { weight: 3, arbitrary: quiet },
  fc.record({ removed: fc.oneof(fc.nat({ max: 4 }), place), times: fc.integer({ min: 1, max: 3 }) }),
);
const words = fc.array(fc.constantFrom(...'abcdefghijkl'), { minLength: 1, maxLength: 80 });
const runs = fc
  .array(fc.tuple(fc.constantFrom(...'abcdefghijkl'), fc.integer({ min: 1, max: 4 })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) => all.flatMap(([word, times]) => Array<string>(times).fill(word)));
const late = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 10 });

const CHANGES: readonly (readonly [string, fc.Arbitrary<Event>])[] = [
  ['grows', adding],
  ['loses items', removing],
];

describe.each(CHANGES)('a list of equal items without identifiers that %s while it is read', (_, event) => {
  test('shows each as often as it was there, or is unsure', async () => {
    let sure = 0;
    let shifted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(words, runs),
        fc.array(event, { maxLength: 40 }),
        late,
        fc.integer({ min: 0, max: 45 }),
        fc.integer({ min: 1, max: 4 }),
        async (items, events, turns, count, concurrency) => {
          const store = storeOf(items, events, turns)(count);
          let got: SoundPage[];
          try {
            got = await readAll(store, concurrency, false);
          } catch (error) {
            // A page of items that are all equal looks like a repeated page.
            if (error instanceof RunStopped) return;
            throw error;
          }
          const isShifted = got.some(({ again }) => again);
          shifted += isShifted ? 1 : 0;
          if (!isSure(got)) return;
          sure += isShifted ? 1 : 0;
          expect(wrongIn(got, store)).toEqual([]);
        },
      ),
      { numRuns: scaledRuns(2_000) },
    );
    // Marking all lists as unsure would pass as well.
    expect(sure / shifted).toBeGreaterThan(0.5);
  });
});

test.each([
  ['is removed before equal items on two pages', 'abcdxxefgh', [undefined, { removed: 0 }]],
  ['is removed after equal items on two pages', 'abcdxxefgh', [undefined, { removed: 8 }]],
  ['is removed that is one of two equal items', 'abcdxxefgh', [undefined, { removed: 4 }]],
  ['is removed that is the other of two equal items', 'abcdxxefgh', [undefined, { removed: 5 }]],
  ['is added before equal items on two pages', 'abcdxxefghn', [undefined, { added: 1 }]],
  ['is added after equal items on two pages', 'abcdxxefghn', [undefined, { added: 1, at: 8 }]],
  [
    'is added after a page, equal to the last item of the page',
    'abcdxefghix',
    [undefined, { added: 1, at: 5 }],
  ],
  ['is removed before three equal items', 'abcxxxefgh', [undefined, { removed: 0 }]],
] as const)('if an item %s, each item is read as often as it was in the list', async (_, words, events) => {
  const store = storeOf([...words], events)(10);
  const got = await readAll(store, 1, false);
  expect({ sure: isSure(got), wrong: wrongIn(got, store) }).toEqual({ sure: true, wrong: [] });
  expect(got.length).toBeLessThanOrEqual(4);
});

test('in a changing list of items without identifiers, almost no item is duplicated or missing unnoticed', async () => {
  const lists = fc.sample(
    fc.tuple(fc.array(fc.oneof(quiet, adding, removing), { maxLength: 40 }), fc.integer({ min: 0, max: 45 })),
    scaledRuns(1_000),
  );
  let wrong = 0;
  for (const [events, count] of lists) {
    const store = shiftingStore(count, events, [0], [], (word) => ({ word }));
    const got = await readAll(store, 1, false);
    if (isSure(got) && wrongIn(got, store).length > 0) wrong++;
  }
  // Totals show only the sum of added and removed items: one such list in 10,000 cannot be recognised.
  expect(wrong / lists.length).toBeLessThan(0.004);
});

test('a list is unsure if no item shows how far it has shifted', async () => {
  const store = storeOf([...'abxxxxxxxxxxcd'], [undefined, undefined, { removed: 0 }])(14);
  expect(isSure(await readAll(store, 1, false))).toBe(false);
});

test('items without identifiers in a list with identifiers are deduplicated by their content', async () => {
  const events = [undefined, { added: 1 }];
  const store = storeOf([...'abcdefghijn'], events)(10);
  const got = await readAll(store, 1, true);
  expect({ sure: isSure(got), wrong: wrongIn(got, store) }).toEqual({ sure: true, wrong: [] });
});
