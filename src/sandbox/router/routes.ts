import type { RequestKind } from '../misbehave/values.ts';
import { ok } from '../reply.ts';
import { SEEDED_LIST_NAMES, SEEDED_LISTS } from '../seed/index.ts';
import { obtainTokens, refreshToken } from './authenticate.ts';
import type { Handler, Store } from './call.ts';
import { CREATE_RULES, create } from './create.ts';
import { list } from './list.ts';
import { updateProduct } from './update.ts';

export interface Route {
  readonly kind: RequestKind;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Answers without an access token. */
  readonly open?: true;
  readonly handle: Handler;
}

/** Lists all routes of the sandbox. */
export function routesOf(store: Store): Route[] {
  return [
    {
      kind: 'token',
      method: 'GET',
      path: '/api/stores/authentication',
      open: true,
      handle: obtainTokens(store),
    },
    {
      kind: 'token',
      method: 'POST',
      path: '/api/stores/authentication',
      open: true,
      handle: refreshToken(store),
    },
    {
      kind: 'create',
      method: 'POST',
      path: '/api/products/create',
      handle: create(store, CREATE_RULES.products),
    },
    // The API document writes the last slash; clients leave it out as often.
    { kind: 'update', method: 'PUT', path: '/api/products/update/', handle: updateProduct(store) },
    { kind: 'update', method: 'PUT', path: '/api/products/update', handle: updateProduct(store) },
    { kind: 'list', method: 'GET', path: '/api/products', handle: list(store, 'products') },
    {
      kind: 'create',
      method: 'POST',
      path: '/api/discount/create',
      handle: create(store, CREATE_RULES.discounts),
    },
    {
      kind: 'create',
      method: 'POST',
      path: '/api/customers/create',
      handle: create(store, CREATE_RULES.customers),
    },
    {
      kind: 'create',
      method: 'POST',
      path: '/api/orders/create',
      handle: create(store, CREATE_RULES.orders),
    },
    {
      kind: 'create',
      method: 'POST',
      path: '/api/suppliers/create',
      handle: create(store, CREATE_RULES.suppliers),
    },
    ...SEEDED_LIST_NAMES.flatMap((name) =>
      SEEDED_LISTS[name].endpoints.map(
        ({ path }): Route => ({ kind: 'list', method: 'GET', path, handle: list(store, name) }),
      ),
    ),
    // Not part of the API: the contract that bodies are checked against.
    {
      kind: 'other',
      method: 'GET',
      path: '/openapi.json',
      open: true,
      handle: () => ok(store.contract.documentText),
    },
  ];
}
