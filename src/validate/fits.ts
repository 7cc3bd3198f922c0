import * as z from 'zod';

/** Returns true if a value is certain to meet a schema. If false, zod decides, and says what is wrong. */
export type Fits = (value: unknown) => boolean;

/**
 * Compiles a schema to a test that makes no garbage: zod copies each object, and nearly all payloads are valid. zod also
 * tests the parts of a schema that are not known here.
 */
export function compileFits(schema: z.ZodType): Fits {
  const { checks = [] } = schema.def;
  if ('check' in schema.def) return fitsByZod(schema);
  if (checks.length > 0) return fitsChecks(schema, checks) ?? fitsByZod(schema);
  if (schema instanceof z.ZodOptional) return isOrFits(undefined, compileFits(schema.unwrap() as z.ZodType));
  if (schema instanceof z.ZodNullable) return isOrFits(null, compileFits(schema.unwrap() as z.ZodType));
  if (schema instanceof z.ZodString) return isText;
  if (schema instanceof z.ZodNumber) return Number.isFinite;
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodEnum) return fitsChoice(schema.options);
  if (schema instanceof z.ZodArray) return fitsList(compileFits(schema.element as z.ZodType));
  if (schema instanceof z.ZodObject) return fitsObject(schema);
  return schema instanceof z.ZodUnknown ? () => true : fitsByZod(schema);
}

function fitsByZod(schema: z.ZodType): Fits {
  return (value) => schema.safeParse(value).success;
}

const isText: Fits = (value) => typeof value === 'string';

/** Tests text that must have a least length or pass a function; undefined for other checks. */
function fitsChecks(schema: z.ZodType, checks: readonly z.core.$ZodCheck<never>[]): Fits | undefined {
  const [check] = checks;
  if (!(schema instanceof z.ZodString) || !check || checks.length > 1) return undefined;
  if (check instanceof z.core.$ZodCheckMinLength) {
    const { minimum } = check._zod.def;
    return (value) => typeof value === 'string' && value.length >= minimum;
  }
  if (!(check instanceof z.ZodCustom)) return undefined;
  const { fn } = check._zod.def;
  return (value) => typeof value === 'string' && fn(value) === true;
}

function isOrFits(absent: null | undefined, fits: Fits): Fits {
  return (value) => value === absent || fits(value);
}

function fitsChoice(options: readonly unknown[]): Fits {
  const values = new Set(options);
  return (value) => values.has(value);
}

function fitsList(fits: Fits): Fits {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!fits(item)) return false;
    return true;
  };
}

function fitsObject({ shape, def: { catchall } }: z.ZodObject): Fits {
  const fields = new Map<string, Fits>();
  for (const [name, field] of Object.entries(shape)) fields.set(name, compileFits(field as z.ZodType));
  const required = [...fields].filter(([, fits]) => !fits(undefined)).map(([name]) => name);
  const others: Fits = catchall === undefined ? () => false : compileFits(catchall as z.ZodType);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const object = value as Readonly<Record<string, unknown>>;
    for (const name in object) if (!(fields.get(name) ?? others)(object[name])) return false;
    for (const name of required) if (object[name] === undefined) return false;
    return true;
  };
}
