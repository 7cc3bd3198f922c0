import type { StoreClient } from '../client-types.ts';
import { type SoundPage, withoutGaps } from './gap-detection.ts';
import type { ListOptions } from './page.ts';
import { createPageReader } from './pages.ts';

/**
 * All pages of a list, in order, to its end, and none of its items lost to a shift: see `createPageReader` and
 * `withoutGaps`.
 */
export function soundPages(
  client: Pick<StoreClient, 'deliver'>,
  list: ListOptions,
  concurrency: number,
): AsyncGenerator<SoundPage> {
  const { pages, readAgain } = createPageReader(client, list);
  return withoutGaps(pages(concurrency), { readAgain, id: list.id });
}
