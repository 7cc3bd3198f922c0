/** Path syntax for fields of JSON objects, in addition to dots. */

/** The item itself, for lists of plain values: `each: { in: images }`, then `src: .` */
export const SELF = '.';

/** Inside a list, prefix of a path from the whole object: `$.title`. */
export const ROOT_PREFIX = '$.';

/** Separates the path of a list from a path in its items: `variants[].price`. */
export const IN_LIST = '[].';
