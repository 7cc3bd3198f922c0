/** Path syntax for fields of JSON objects, in addition to dots. */

/** The item itself, for lists of plain values: `each: { in: images }`, then `src: .` */
export const SELF = '.';

/** Inside a list, prefix of a path from the whole object: `$.title`. */
export const ROOT_PREFIX = '$.';

/** Separates the path of a list from a path in its items: `variants[].price`. */
export const IN_LIST = '[].';

/** Finds pairs of target paths where one is inside the other, so that two rules would write the same place. */
export function overlapsIn(paths: readonly (readonly string[])[]): { outer: string; inner: string }[] {
  const whole = new Set(paths.map((path) => path.join('.')));
  return paths.flatMap((path) =>
    path
      .slice(1)
      .map((_step, index) => ({ outer: path.slice(0, index + 1).join('.'), inner: path.join('.') }))
      .filter(({ outer }) => whole.has(outer)),
  );
}
