import * as z from 'zod';
import {
  clearable,
  currencies,
  dialCode,
  idAndName,
  openList,
  openObject,
  price,
  properties,
  requiredText,
  webAddress,
} from './common.ts';
import { columnNames } from './fields.ts';
import type { Resource } from './resource.ts';

/** API document, "bookingProps shape". */
const bookingProps = z.strictObject({
  firstAddresses: z
    .array(
      z.strictObject({
        city: idAndName.optional(),
        province: idAndName.optional(),
        country: idAndName.extend({ code: z.string().optional(), dialCode }).optional(),
        location: openObject.optional(),
      }),
    )
    .optional(),
  pickCountries: z.array(z.string()).optional(),
  pickProvinces: z.array(z.string()).optional(),
  // Spelt "pickCites" in the API document.
  pickCites: z.array(z.string()).optional(),
  guest: z
    .strictObject({
      hasGuest: z.boolean().optional(),
      min: z.number().optional(),
      max: z.number().optional(),
    })
    .optional(),
  extraInfo: z
    .array(
      z.strictObject({
        _id: z.string().optional(),
        name: z.string().optional(),
        icon: z.string().optional(),
        Number: z.string().optional(),
      }),
    )
    .optional(),
  priceBy: z.string().optional(),
});

/** API document, "digitalConfig shape". */
const digitalConfig = z.strictObject({
  viaEmail: z.boolean().optional(),
  downloadable: z.boolean().optional(),
  emailSettings: z
    .strictObject({
      autoSend: z.boolean().optional(),
      subject: z.string().optional(),
      body: z.string().optional(),
      sendbyStatus: z.array(z.string()).optional(),
    })
    .optional(),
  downloadSetting: z.strictObject({ fileId: z.string().optional(), name: z.string().optional() }).optional(),
});

/** API document, "Product". */
const quantity = z.strictObject({
  instock: z.number().optional(),
  unit: z.string().optional(),
  increment: z.number().optional(),
});

/** API document, "Product (create; update takes the same fields)". */
export const productSchema = z.strictObject({
  name: requiredText,
  reference: requiredText,
  description: z.string().optional(),
  model: z.string().optional(),
  html: z.string().optional(),
  source: z.string().optional(),
  bookingProps: bookingProps.optional(),
  digitalConfig: digitalConfig.optional(),
  productType: z.enum(['PHYSICAL', 'DIGITAL', 'BOOKING']).optional(),
  // "simple, variable, and others": an open list, so any text.
  type: z.string().optional(),
  tags: z.array(z.string()).optional(),
  seo: z
    .strictObject({
      title: z.string().optional(),
      description: z.string().optional(),
      hide: z.boolean().optional(),
      googleCategory: z.string().optional(),
      keywords: z.array(z.string()).optional(),
    })
    .optional(),
  status: z.enum(['DRAFT', 'PUBLISH', 'TRASH']).optional(),
  collections: openList.optional(),
  price: price.optional(),
  quantity: quantity.optional(),
  outStock: openObject.optional(),
  sizes: openObject.optional(),
  supplier: openObject.optional(),
  brand: openObject.optional(),
  shipping: openObject.optional(),
  images: z.array(z.strictObject({ src: webAddress.optional(), title: z.string().optional() })).optional(),
  files: openList.optional(),
  options: z
    .array(
      z.strictObject({
        name: z.string().optional(),
        style: z.string().optional(),
        // `value2` (a colour's code) is seen in answers only; the document names `value1`.
        values: z.array(z.strictObject({ value1: z.string().optional() })).optional(),
      }),
    )
    .optional(),
  variants: openList.optional(),
  translates: z.array(z.strictObject({ language: z.string().optional(), properties })).optional(),
  currencies,
});

/**
 * Payload of an update: null clears an object, or a number of price and quantity. This is an assumption: the API document
 * says that an update takes the same fields, but not how to clear one.
 */
const updateSchema = productSchema.extend({
  ...clearable(productSchema, 'object'),
  price: price.extend(clearable(price, 'number')).nullable().optional(),
  quantity: quantity.extend(clearable(quantity, 'number')).nullable().optional(),
});

const PRICES = Object.keys(price.shape).map((name) => `price.${name}`);

export const products: Resource = {
  name: 'products',
  singular: 'product',
  schema: productSchema,
  updateSchema,
  key: ['reference'],
  images: ['images.*.src'],
  meanings: { 'currency-code': ['currencies.*.currency'] },
  amounts: PRICES,
  // Some mappings send one number as the price of a variant.
  amountsOfItems: { list: 'variants', fields: ['price', ...PRICES] },
  watched: [
    { name: 'price', path: 'price.salePrice', ofVariants: 'lowest' },
    { name: 'stock', path: 'quantity.instock', ofVariants: 'sum' },
  ],
  create: { method: 'POST', path: '/api/products/create' },
  update: { method: 'PUT', path: '/api/products/update/', idParam: 'id' },
  trash: { status: 'TRASH' },
  // "Shown only as an authenticated call": assumed to be a list like the others until the store answers otherwise.
  list: { path: '/api/products', pageSize: 100, filters: {}, id: '_id', undocumented: true },
  envelopes: ['data', 'result', 'product'],
  columns: columnNames(productSchema),
};
