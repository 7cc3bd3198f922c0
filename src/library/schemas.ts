import type * as z from 'zod';
import { RESOURCES, type schemas } from '../resources/index.ts';

/** Resources that can be imported. */
export type ImportableResource = 'products' | 'customers' | 'suppliers' | 'discounts' | 'orders';

/** Resources that are lists of the store. */
export type ListedResource = 'products' | 'reviews' | 'checkouts' | 'images';

/** Payload of a create, as the schema of the resource takes it. */
export type Product = z.infer<typeof schemas.products>;
export type Customer = z.infer<typeof schemas.customers>;
export type Supplier = z.infer<typeof schemas.suppliers>;
export type Discount = z.infer<typeof schemas.discounts>;
export type Order = z.infer<typeof schemas.orders>;

/** The type of the payload of a resource. */
export type PayloadOf<Name extends ImportableResource> = z.infer<(typeof schemas)[Name]>;

/** Items of lists. They may have more fields than the API document shows. */
export type Review = z.infer<typeof schemas.reviews>;
export type Checkout = z.infer<typeof schemas.checkouts>;
export type StoreImage = z.infer<typeof schemas.images>;
/** A product as the store lists it: its payload and its identifier, and whatever else the store adds. */
export type ListedProduct = Partial<Product> & { readonly _id: string; readonly [field: string]: unknown };

/** The type of an item of a list. */
export type ItemOf<Name extends ListedResource> = Name extends 'products'
  ? ListedProduct
  : z.infer<(typeof schemas)[Name]>;

/** The API's operations on a resource, and its key. */
export interface ResourceInfo {
  readonly name: ImportableResource | ListedResource;
  readonly singular: string;
  readonly canCreate: boolean;
  readonly canUpdate: boolean;
  readonly canList: boolean;
  /** Fields that identify a record across runs; the first with a value counts. */
  readonly key: readonly string[];
  /** Names for `filters` of an export. */
  readonly filters: readonly string[];
  /** Columns of its CSV, as dotted paths. */
  readonly columns: readonly string[];
}

/** All resources, in the order of the help. */
export const resources: readonly ResourceInfo[] = RESOURCES.map(
  ({ name, singular, create, update, list, key = [], columns }) => ({
    name: name as ResourceInfo['name'],
    singular,
    canCreate: create !== undefined,
    canUpdate: update !== undefined,
    canList: list !== undefined,
    key,
    filters: Object.keys(list?.filters ?? {}),
    columns,
  }),
);
