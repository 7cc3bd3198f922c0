import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { RequestFailed } from '../client.ts';
import { asFailure } from '../use-load.ts';

export interface Pages<Row> {
  /** A row; undefined while its page is fetched. */
  readonly at: (index: number) => Row | undefined;
  /** Fetches the pages of these rows, if they are not here. */
  readonly want: (from: number, to: number) => void;
  /** All rows of a range, fetched if they are not here. Throws RequestFailed. */
  readonly rowsOf: (from: number, to: number) => Promise<readonly Row[]>;
  /** Shows other rows at once, until the next `reload`. */
  readonly patch: (change: (row: Row, index: number) => Row, from: number, to: number) => void;
  /** Fetches what is in sight again, since the rows have changed. What is here stays until then. */
  readonly reload: () => void;
  readonly failure: RequestFailed | undefined;
}

const PAGE = 100;
const MOST_PAGES = 40;
/** A quick scroll passes many pages; only those are fetched at which it rests this long, milliseconds. */
const REST_MS = 80;
/** Rows beyond those in sight that are fetched too. */
const AHEAD = 50;

const pageOf = (index: number) => Math.floor(index / PAGE);

/**
 * Rows that are fetched page by page as they come into sight. Memory holds the last pages only, however many rows there
 * are. `fetchPage`: must be another function when other rows are meant.
 */
export function usePages<Row>(
  fetchPage: (from: number, count: number) => Promise<readonly Row[]>,
): Pages<Row> {
  const [, redraw] = useState(0);
  const [failure, setFailure] = useState<RequestFailed>();
  const store = useRef<PageStore<Row> | undefined>(undefined);
  if (store.current?.fetchPage !== fetchPage) store.current = createStore(fetchPage);
  const current = store.current;
  current.onChange = () => redraw((n) => n + 1);
  current.onFailure = setFailure;
  useEffect(() => {
    setFailure(undefined);
    return () => current.close();
  }, [current]);
  const want = useCallback((from: number, to: number) => current.want(from, to), [current]);
  return {
    at: (index) => current.pages.get(pageOf(index))?.[index % PAGE],
    want,
    rowsOf: current.rowsOf,
    patch: current.patch,
    reload: current.reload,
    failure,
  };
}

interface PageStore<Row> extends Pick<Pages<Row>, 'want' | 'rowsOf' | 'patch' | 'reload'> {
  readonly fetchPage: unknown;
  readonly pages: Map<number, readonly Row[]>;
  onChange: () => void;
  onFailure: (failure: RequestFailed | undefined) => void;
  readonly close: () => void;
}

function createStore<Row>(
  fetchPage: (from: number, count: number) => Promise<readonly Row[]>,
): PageStore<Row> {
  const pages = new Map<number, readonly Row[]>();
  /** Requests in flight. One that is replaced by a reload is in here no more, and its answer is dropped. */
  const pending = new Map<number, Promise<readonly Row[]>>();
  let sight: readonly [number, number] = [0, 0];
  let timer = 0;
  let lastMs = 0;
  let isClosed = false;

  function load(page: number): Promise<readonly Row[]> {
    const known = pending.get(page);
    if (known) return known;
    const request = fetchPage(page * PAGE, PAGE).finally(() => {
      if (pending.get(page) === request) pending.delete(page);
    });
    pending.set(page, request);
    request.then(
      (rows) => {
        if (isClosed || (pending.has(page) && pending.get(page) !== request)) return;
        keep(page, rows);
        store.onFailure(undefined);
        store.onChange();
      },
      (error: unknown) => {
        if (!isClosed) store.onFailure(asFailure(error));
      },
    );
    return request;
  }
  function keep(page: number, rows: readonly Row[]): void {
    pages.delete(page);
    pages.set(page, rows);
    for (const old of [...pages.keys()].slice(0, -MOST_PAGES)) pages.delete(old);
  }
  function inSight(): number[] {
    const [from, to] = [pageOf(Math.max(0, sight[0] - AHEAD)), pageOf(sight[1] + AHEAD)];
    return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  }
  function loadSight(): void {
    lastMs = performance.now();
    for (const page of inSight()) if (!pages.has(page)) load(page).catch(() => {});
  }
  const store: PageStore<Row> = {
    fetchPage,
    pages,
    onChange: () => {},
    onFailure: () => {},
    want(from, to) {
      sight = [from, to];
      clearTimeout(timer);
      if (performance.now() - lastMs > REST_MS) loadSight();
      else timer = setTimeout(loadSight, REST_MS);
    },
    async rowsOf(from, to) {
      const rows: Row[] = [];
      for (let page = pageOf(from); page <= pageOf(to); page++) {
        const found = pages.get(page) ?? (await load(page));
        rows.push(...found.slice(Math.max(0, from - page * PAGE), to + 1 - page * PAGE));
      }
      return rows;
    },
    patch(change, from, to) {
      for (const [page, rows] of pages)
        if (page >= pageOf(from) && page <= pageOf(to))
          pages.set(
            page,
            rows.map((row, n) => change(row, page * PAGE + n)),
          );
      store.onChange();
    },
    reload() {
      pending.clear();
      const wanted = new Set(inSight());
      for (const page of [...pages.keys()]) if (!wanted.has(page)) pages.delete(page);
      for (const page of wanted) load(page).catch(() => {});
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
  return store;
}
