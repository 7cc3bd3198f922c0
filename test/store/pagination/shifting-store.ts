import type { Delivery, JsonObject, StoreRequest } from '../../../src/model/index.ts';
import type { SoundPage } from '../../../src/store/pagination/gap-detection.ts';
import { soundPages } from '../../../src/store/pagination/index.ts';

export const SIZE = 5;
const LIST = { path: '/api/reviews/search', pageSize: SIZE };

/**
 * A change of the list before a page is answered: items are added, in front or at an index, or removed at an
 * index.
 */
export type Event =
  | { readonly added: number; readonly at?: number }
  | { readonly removed: number; readonly times?: number }
  | undefined;

/**
 * A store whose list changes as in `events`, one event before each page that it answers. `late`: how many turns
 * of the event loop each request is delayed, so that pages are answered out of order. `empties`: answers that
 * wrongly have no items.
 */
export function shiftingStore(
  count: number,
  events: readonly Event[],
  late: readonly number[],
  empties: readonly number[] = [],
  itemOf: (name: string) => JsonObject = (name) => ({ _id: name }),
) {
  const old = Array.from({ length: count }, (_, n) => itemOf(`old-${n}`));
  const removed = new Set<JsonObject>();
  const fresh: JsonObject[] = [];
  let items = old;
  let asked = 0;
  let answered = 0;

  function happen(event: Event): void {
    if (event === undefined) return;
    if ('added' in event) {
      const added = Array.from({ length: event.added }, (_, n) => itemOf(`new-${fresh.length + n}`));
      fresh.push(...added);
      items = items.toSpliced((event.at ?? 0) % (items.length + 1), 0, ...added);
    } else {
      items = [...items];
      for (let time = 0; time < (event.times ?? 1); time++) {
        const [gone] = items.splice(event.removed % Math.max(1, items.length), 1);
        if (gone !== undefined) removed.add(gone);
      }
    }
  }

  return {
    /** Items that were in the list from the beginning to the end. */
    throughout: () => old.filter((item) => !removed.has(item)),
    /** Items that were in the list at any time. */
    ever: () => [...old, ...fresh],
    client: {
      async deliver({ path }: StoreRequest): Promise<Delivery> {
        const page = Number(new URL(path, 'http://x').searchParams.get('page'));
        const turns = late[asked++ % Math.max(1, late.length)] ?? 0;
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        const isEmpty = empties.includes(answered);
        happen(events[answered++]);
        const answer = {
          results: isEmpty ? [] : items.slice((page - 1) * SIZE, page * SIZE),
          paginate: {
            total: items.length,
            per_page: SIZE,
            current_page: page,
            last_page: Math.max(1, Math.ceil(items.length / SIZE)),
          },
        };
        return { verdict: 'done', attempts: 1, durationMs: 1, httpStatus: 200, answer };
      },
    },
  };
}

export async function readAll(
  { client }: ReturnType<typeof shiftingStore>,
  concurrency: number,
  hasIds: boolean,
) {
  const got: SoundPage[] = [];
  const list = { ...LIST, ...(hasIds && { id: '_id' }) };
  for await (const page of soundPages(client, list, concurrency)) got.push(page);
  return got;
}
