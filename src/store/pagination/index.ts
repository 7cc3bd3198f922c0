import type { StoreClient } from '../client-types.ts';
import { type SoundPage, withoutGaps } from './gap-detection.ts';
import type { ListOptions } from './page.ts';
import { createPageReader } from './pages.ts';

/**
 * Reads all pages of a list, in order, to its end, without losing items to a shift: see `createPageReader` and
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
