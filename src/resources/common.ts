import * as z from 'zod';

/** Text of a required field. Empty text is refused, as no shop owner wants it. */
export const requiredText = z.string().min(1);

/** "date (ISO 8601 timestamp)", API document, "Resources and their fields". */
export const timestamp = z.iso.datetime({ offset: true });

/** An object whose fields the API document does not show: any object is sent as it is. */
export const openObject = z.looseObject({});

/** A list whose items the API document does not show. */
export const openList = z.array(z.unknown());

/** "src (string, URL)": an address from which a store could fetch. */
export const webAddress = z.string().refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
  params: { expected: 'a web address that begins with http:// or https://' },
});

/** `properties` of translates and currencies: array of {name string, value}. */
export const properties = z
  .array(z.strictObject({ name: z.string().optional(), value: z.unknown().optional() }))
  .optional();

/** `currencies`: array of {currency, properties}. */
export const currencies = z.array(z.strictObject({ currency: z.string().optional(), properties })).optional();

/** `{buyingPrice, salePrice, comparePrice}`. */
export const price = z.strictObject({
  buyingPrice: z.number().optional(),
  salePrice: z.number().optional(),
  comparePrice: z.number().optional(),
});

/** `{_id, name}`, as the document shows places, shippers and the like. */
export const idAndName = z.strictObject({ _id: z.string().optional(), name: z.string().optional() });

/** `{name}`. */
export const named = z.strictObject({ name: z.string().optional() });

/** The API document does not show the type; stores use both +213 and 213. */
export const dialCode = z.union([z.string(), z.number()]).optional();

/** The address of a customer, API document, "Customer". */
export const customerAddress = z.strictObject({
  firstname: z.string().optional(),
  lastname: z.string().optional(),
  company: z.string().optional(),
  address1: z.string().optional(),
  address2: z.string().optional(),
  zip: z.string().optional(),
  phone: z.string().optional(),
  city: named.optional(),
  province: named.optional(),
  country: z
    .strictObject({
      name: z.string().optional(),
      code: z.string().optional(),
      dialCode,
    })
    .optional(),
  default: z.boolean().optional(),
});

/** Returns the fields of an object that have this type, each made nullable. */
export function clearable({ shape }: z.ZodObject, type: 'object' | 'number'): z.ZodRawShape {
  const fields = Object.entries(shape).flatMap(([name, field]): [string, z.ZodType][] => {
    const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : (field as z.ZodType);
    return inner.def.type === type ? [[name, inner.nullable().optional()]] : [];
  });
  return Object.fromEntries(fields);
}
