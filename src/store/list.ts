import type { StoreClient } from './client.ts';
import { fetchPage, lastPage, type PagesOptions, pages } from './pages.ts';
import { type SoundPage, withoutGaps } from './seams.ts';

export interface ListOptions extends PagesOptions {
  /** Field by which items are known; absent where they have none. */
  readonly id?: string | undefined;
}

/** All pages of a list, in order, fetched in parallel, and none of its items lost to a shift: see `pages` and `withoutGaps`. */
export function soundPages(
  client: Pick<StoreClient, 'deliver'>,
  list: ListOptions,
  concurrency: number,
): AsyncGenerator<SoundPage> {
  return withoutGaps(pages(client, list, concurrency), {
    readAgain: (page) => fetchPage(client, list, page),
    lastPage: (page) => lastPage(page, list.pageSize),
    hasIds: list.id !== undefined,
  });
}
