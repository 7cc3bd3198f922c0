import { fields, inside } from './fields.ts';

export const REVIEW = fields('Review', [
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

export const IMAGE = fields('Media image', [
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

export const CHECKOUT = [
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
