import { CUSTOMER } from './customer.ts';
import { DISCOUNT } from './discount.ts';
import { type Field, fields } from './fields.ts';
import { ORDER } from './order.ts';
import { PRODUCT } from './product.ts';
import { CHECKOUT, IMAGE, REVIEW } from './read-only.ts';
import { SUPPLIER } from './supplier.ts';

/** A query parameter; `default` where the document shows one. */
export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'int' | 'bool';
  readonly isRequired?: true;
  readonly default?: string | number;
}

/** One row of the document's Endpoints. */
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
const PAGES: readonly Parameter[] = [
  { name: 'page', type: 'int' },
  { name: 'limit', type: 'int' },
];

export const TOKEN_PATH = '/api/stores/authentication';

/** All but for two liberties: the path of the images' sample request, and the pages of GET /api/products. */
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
  {
    method: 'GET',
    path: '/api/reviews/search',
    section: 'GET /api/reviews/search',
    parameters: [
      ...PAGES,
      { name: 'product', type: 'string' },
      { name: 'rating', type: 'int' },
      { name: 'published', type: 'bool' },
    ],
  },
  {
    method: 'GET',
    path: '/api/datasets/unfulfillment',
    section: 'GET /api/datasets/unfulfillment',
    parameters: [
      { name: 'page', type: 'int', default: 1 },
      { name: 'limit', type: 'int', default: 20 },
      { name: 'field3', type: 'string', default: 'pending' },
    ],
  },
  { method: 'GET', path: '/api/images', section: 'GET /api/images', parameters: PAGES },
  { method: 'GET', path: '/api/images/search', section: 'Endpoints', parameters: PAGES },
  { method: 'GET', path: '/api/products', section: 'Endpoints', parameters: PAGES },
];

/** A resource that can be created. */
export interface Written {
  /** Also the name of its schema in the OpenAPI document. */
  readonly section: string;
  /** Where it is created. */
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

/** What can only be listed, and the lists that show it. */
export interface Listed {
  readonly schema: string;
  readonly section: string;
  readonly paths: readonly string[];
  readonly fields: readonly Field[];
}

export const LISTED: readonly Listed[] = [
  { schema: 'Review', section: 'Review', paths: ['/api/reviews/search'], fields: REVIEW },
  {
    schema: 'Image',
    section: 'Media image',
    paths: ['/api/images', '/api/images/search'],
    fields: IMAGE,
  },
  {
    schema: 'Checkout',
    section: 'Unfulfilled checkout',
    paths: ['/api/datasets/unfulfillment'],
    fields: CHECKOUT,
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
