import type { FaultValueKind } from '../misbehave/values.ts';
import { ok } from '../reply.ts';
import { obtainTokens, refreshToken } from './authenticate.ts';
import type { Handler, Store } from './call.ts';
import { CREATE_RULES, create } from './create.ts';
import { list } from './list.ts';
import { updateProduct } from './update.ts';

export interface Route {
  readonly kind: FaultValueKind;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Answers without an access token. */
  readonly open?: true;
  readonly handle: Handler;
}

/** Everything that the sandbox serves. */
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
    { kind: 'list', method: 'GET', path: '/api/reviews/search', handle: list(store, 'reviews') },
    { kind: 'list', method: 'GET', path: '/api/datasets/unfulfillment', handle: list(store, 'checkouts') },
    { kind: 'list', method: 'GET', path: '/api/images', handle: list(store, 'images') },
    { kind: 'list', method: 'GET', path: '/api/images/search', handle: list(store, 'images') },
    // Not part of the API: what it is checked against.
    {
      kind: 'other',
      method: 'GET',
      path: '/openapi.json',
      open: true,
      handle: () => ok(store.contract.documentText),
    },
  ];
}
