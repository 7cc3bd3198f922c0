import { CUSTOMER } from './customer.ts';
import { DISCOUNT } from './discount.ts';
import { type Field, fields } from './fields.ts';
import { ORDER } from './order.ts';
import { PRODUCT } from './product.ts';
import { LISTED, PAGES, type Parameter } from './read-only.ts';
import { SUPPLIER } from './supplier.ts';

/** One row of the section Endpoints. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Section that lists the parameters. */
  readonly section: string;
  readonly parameters: readonly Parameter[];
}

const CREDENTIALS: readonly Parameter[] = [
  { name: 'clientId', type: 'string', isRequired: true },
  { name: 'clientSecret', type: 'string', isRequired: true },
];

export const TOKEN_PATH = '/api/stores/authentication';

/** All, with two deviations: the path of the sample request for images, and the pages of GET /api/products. */
export const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: TOKEN_PATH, section: 'Authentication', parameters: CREDENTIALS },
  {
    method: 'POST',
    path: TOKEN_PATH,
    section: 'Authentication',
    parameters: [...CREDENTIALS, { name: 'refresh', type: 'bool', isRequired: true }],
  },
  { method: 'POST', path: '/api/products/create', section: 'Endpoints', parameters: [] },
  {
    method: 'PUT',
    path: '/api/products/update/',
    section: 'Create and update operations',
    parameters: [{ name: 'id', type: 'string', isRequired: true }],
  },
  { method: 'POST', path: '/api/discount/create', section: 'Endpoints', parameters: [] },
  { method: 'POST', path: '/api/customers/create', section: 'Endpoints', parameters: [] },
  { method: 'POST', path: '/api/orders/create', section: 'Endpoints', parameters: [] },
  { method: 'POST', path: '/api/suppliers/create', section: 'Endpoints', parameters: [] },
  ...LISTED.flatMap(({ endpoints }) =>
    endpoints.map((endpoint) => ({ method: 'GET' as const, ...endpoint })),
  ),
  { method: 'GET', path: '/api/products', section: 'Endpoints', parameters: PAGES },
];

/** A resource that can be created. */
export interface Written {
  /** Also the name of its schema in the OpenAPI document. */
  readonly section: string;
  /** Endpoint that creates it. */
  readonly endpoint: string;
  readonly fields: readonly Field[];
  /** "Response data contains …" */
  readonly answered: readonly Field[];
}

export const WRITTEN: readonly Written[] = [
  {
    section: 'Product',
    endpoint: '/api/products/create',
    fields: PRODUCT,
    answered: fields('Product, Response data', [
      ['_id', 'string'],
      ['name', 'string'],
      ['slug', 'string'],
    ]),
  },
  {
    section: 'Discount',
    endpoint: '/api/discount/create',
    fields: DISCOUNT,
    answered: fields('Discount, Response data', [
      ['_id', 'string'],
      ['code', 'string'],
    ]),
  },
  {
    section: 'Customer',
    endpoint: '/api/customers/create',
    fields: CUSTOMER,
    answered: fields('Customer, Response data', [
      ['_id', 'string'],
      ['firstname', 'string'],
      ['lastname', 'string'],
    ]),
  },
  {
    section: 'Order',
    endpoint: '/api/orders/create',
    fields: ORDER,
    answered: fields('Order, Response data', [
      ['_id', 'string'],
      ['orderId', 'number'],
    ]),
  },
  {
    section: 'Supplier',
    endpoint: '/api/suppliers/create',
    fields: SUPPLIER,
    answered: fields('Supplier, Response data', [
      ['_id', 'string'],
      ['name', 'string'],
    ]),
  },
];

/** Bodies of the token endpoints. */
export const TOKEN_BODIES: Readonly<Record<string, readonly Field[]>> = {
  Tokens: fields('Authentication, step 2', [
    ['refreshToken', 'string', 'required'],
    ['accessToken', 'string', 'required'],
    ['expireTime', 'number', 'required'],
  ]),
  RefreshRequest: fields('Authentication, step 4', [['refreshToken', 'string', 'required']]),
  RefreshedToken: fields('Authentication, step 4', [
    ['accessToken', 'string', 'required'],
    ['expireTime', 'number', 'required'],
  ]),
};
