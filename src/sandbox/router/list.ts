import { type Parameter, readQuery } from '../lists/query.ts';
import { ok, refuseQuery } from '../reply.ts';
import type { Handler, ListName, Store } from './call.ts';

/** One page of a list (API document, the GET endpoints and Pagination block). */
export function list(store: Store, name: ListName): Handler {
  const { filters, defaultLimit, page } = store.lists[name];
  const parameters: readonly Parameter[] = [
    { name: 'page', type: 'positive', fallback: 1 },
    { name: 'limit', type: 'positive', fallback: defaultLimit },
    ...filters,
  ];
  return ({ query }) => {
    const read = readQuery(query, parameters);
    return 'errors' in read ? refuseQuery(read.errors) : ok(page(read.values, store.habits().page));
  };
}
