import { fields } from './fields.ts';

/** That `route` is required when `connectable` is true is no row of the table: rules.test.ts has it. */
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
