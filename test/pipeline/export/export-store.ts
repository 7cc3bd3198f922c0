import type { Delivery, Json, JsonObject } from '../../../src/model/index.ts';
import { type ExportOptions, runExport } from '../../../src/pipeline/index.ts';
import { reviews } from '../../../src/resources/reviews.ts';

/** A store in this process. Each request is answered from the present content of `items`. */
export function listStore(items: JsonObject[]) {
  const pages: number[] = [];
  return {
    items,
    /** Numbers of the requested pages. */
    pages,
    connect: async () => ({
      baseUrl: 'http://store.test',
      concurrency: 2,
      client: {
        authenticate: async () => {},
        deliver: async ({ path }: { path: string }): Promise<Delivery> => {
          const query = new URL(path, 'http://store.test').searchParams;
          const [page, size] = [Number(query.get('page')), Number(query.get('limit'))];
          pages.push(page);
          const answer: Json = {
            results: items.slice((page - 1) * size, page * size),
            paginate: {
              total: items.length,
              per_page: size,
              current_page: page,
              last_page: Math.max(1, Math.ceil(items.length / size)),
            },
          };
          return { verdict: 'done', answer, attempts: 1, durationMs: 1, status: 200 } as unknown as Delivery;
        },
      } as never,
    }),
  };
}

/** Exports reviews with minimal options. */
export function exportReviews(
  store: ReturnType<typeof listStore>,
  options: Partial<ExportOptions> & Pick<ExportOptions, 'home'>,
) {
  return runExport({
    resource: reviews,
    format: 'ndjson',
    filters: [],
    incremental: false,
    raw: false,
    version: '1.2.3',
    connect: store.connect,
    interrupted: new AbortController().signal,
    onProgress: () => {},
    onWarning: () => {},
    ...options,
  });
}
