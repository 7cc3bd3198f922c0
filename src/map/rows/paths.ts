/** How fields of JSON objects are named, beside their dotted paths. */

/** The item itself, where a list holds plain values: `each: { in: images }`, and then `src: .` */
export const SELF = '.';

/** Inside of a list, before the path of a field of the whole object: `$.title`. */
export const ROOT_PREFIX = '$.';

/** Between the path of a list and that of what its items have: `variants[].price`. */
export const IN_LIST = '[].';
