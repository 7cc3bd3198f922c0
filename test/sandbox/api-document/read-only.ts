import { type Field, fields, inside } from './fields.ts';

/** A query parameter; `default` if the document has one. */
export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'int' | 'bool';
  readonly isRequired?: true;
  readonly default?: string | number;
}

export const PAGES: readonly Parameter[] = [
  { name: 'page', type: 'int' },
  { name: 'limit', type: 'int' },
];

const REVIEW = fields('Review', [
  ['_id', 'string'],
  ['storeId', 'string'],
  ['product', 'object'],
  ['product._id', 'string'],
  ['product.name', 'string'],
  ['product.image', 'string'],
  ['customer', 'object'],
  ['customer._id', 'string'],
  ['customer.firstname', 'string'],
  ['customer.lastname', 'string'],
  ['content', 'string'],
  ['images', 'array'],
  ['images.0', 'URL'],
  ['rating', 'int'],
  ['published', 'bool'],
  ['createdAt', 'date'],
]);

const IMAGE = fields('Media image', [
  ['_id', 'string'],
  ['storeId', 'string'],
  ['src', 'URL'],
  ['title', 'string'],
  ['width', 'number'],
  ['height', 'number'],
  ['createdAt', 'date'],
]);

const CHECKOUT_ADDRESS = fields('Unfulfilled checkout', [
  ['address1', 'string'],
  ['address2', 'string'],
  ['country', 'object'],
  ['country._id', 'string'],
  ['country.name', 'string'],
  ['province', 'object'],
  ['province._id', 'string'],
  ['province.name', 'string'],
  ['city', 'object'],
  ['city._id', 'string'],
  ['city.name', 'string'],
]);

const CHECKOUT = [
  ...fields('Unfulfilled checkout', [
    ['customer', 'object'],
    ['customer.firstname', 'string'],
    ['customer.lastname', 'string'],
    ['customer.fullname', 'string'],
    ['customer.email', 'string'],
    ['customer.phone', 'string'],
    ['customer.ipAddress', 'string'],
    ['customer.address', 'object'],
    ['shipping', 'object'],
    ['shipping.zone', 'open object or null'],
    ['shipping.shipper', 'open object or null'],
    ['shipping.price', 'number'],
    ['shipping.address', 'object'],
    ['discount', 'open object or null'],
    ['details', 'open array'],
    ['customerNote', 'string'],
    ['method', 'open object or null'],
  ]),
  ...inside('customer.address', CHECKOUT_ADDRESS),
  ...inside('shipping.address', CHECKOUT_ADDRESS),
];

export const PAGINATE = fields('Pagination block', [
  ['total', 'number'],
  ['per_page', 'number'],
  ['current_page', 'number'],
  ['last_page', 'number'],
]);

/** A resource that can only be listed. */
export interface Listed {
  /** Name of its schema in the OpenAPI document. */
  readonly schema: string;
  /** Section that lists its fields. */
  readonly section: string;
  /** Paths of its list, each with the section that lists the parameters. */
  readonly endpoints: readonly {
    readonly path: string;
    readonly section: string;
    readonly parameters: readonly Parameter[];
  }[];
  readonly fields: readonly Field[];
}

export const LISTED: readonly Listed[] = [
  {
    schema: 'Review',
    section: 'Review',
    endpoints: [
      {
        path: '/api/reviews/search',
        section: 'GET /api/reviews/search',
        parameters: [
          ...PAGES,
          { name: 'product', type: 'string' },
          { name: 'rating', type: 'int' },
          { name: 'published', type: 'bool' },
        ],
      },
    ],
    fields: REVIEW,
  },
  {
    schema: 'Image',
    section: 'Media image',
    endpoints: [
      { path: '/api/images', section: 'GET /api/images', parameters: PAGES },
      { path: '/api/images/search', section: 'Endpoints', parameters: PAGES },
    ],
    fields: IMAGE,
  },
  {
    schema: 'Checkout',
    section: 'Unfulfilled checkout',
    endpoints: [
      {
        path: '/api/datasets/unfulfillment',
        section: 'GET /api/datasets/unfulfillment',
        parameters: [
          { name: 'page', type: 'int', default: 1 },
          { name: 'limit', type: 'int', default: 20 },
          { name: 'field3', type: 'string', default: 'pending' },
        ],
      },
    ],
    fields: CHECKOUT,
  },
];
