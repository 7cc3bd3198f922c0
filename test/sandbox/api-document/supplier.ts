import { fields } from './fields.ts';

/** The table does not say that `route` is required if `connectable` is true: rules.test.ts tests it. */
export const SUPPLIER = fields('Supplier', [
  ['storeId', 'string', 'required'],
  ['name', 'string', 'required'],
  ['company', 'string'],
  ['address1', 'string', 'required'],
  ['address2', 'string'],
  ['city', 'object'],
  ['city.name', 'string'],
  ['province', 'object'],
  ['province.name', 'string'],
  ['country', 'object'],
  ['country.name', 'string'],
  ['phone', 'string'],
  ['connectable', 'bool'],
  ['route', 'string'],
]);
