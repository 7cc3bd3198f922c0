import { fields, inside } from './fields.ts';

const ADDRESS = fields('Customer, Address object', [
  ['firstname', 'string'],
  ['lastname', 'string'],
  ['company', 'string'],
  ['address1', 'string'],
  ['address2', 'string'],
  ['zip', 'string'],
  ['phone', 'string'],
  ['city', 'object'],
  ['city.name', 'string'],
  ['province', 'object'],
  ['province.name', 'string'],
  ['country', 'object'],
  ['country.name', 'string'],
  ['country.code', 'string'],
  ['country.dialCode', 'string or number'],
  ['default', 'bool'],
]);

export const CUSTOMER = [
  ...fields('Customer', [
    ['storeId', 'string', 'required'],
    ['firstname', 'string', 'required'],
    ['lastname', 'string', 'required'],
    ['email', 'string'],
    ['phone', 'string'],
    ['password', 'string'],
    ['isSubscriber', 'bool'],
    ['note', 'string'],
    ['status', 'string', ['ACTIVE', 'UNACTIVE', 'BLOCKED']],
    ['type', 'string', ['particular', 'professional']],
    ['address', 'object'],
  ]),
  ...inside('address', ADDRESS),
];
