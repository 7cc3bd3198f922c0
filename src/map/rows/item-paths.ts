import { isObject, type Json, valueReader } from '../../model/index.ts';

/** Paths of fields in JSON objects: what their syntax has besides dots, and how they are read. */

/** The item itself, for lists of plain values: `each: { in: images }`, then `fields: { src: . }`. */
export const SELF = '.';

/** Inside a list, prefix of a path from the whole object: `$.title`. */
export const ROOT_PREFIX = '$.';

/** Separates the path of a list from a path in its items: `variants[].price`. */
export const IN_LIST = '[].';

/** Reads one path; undefined if the value does not have it. */
export type ReadPath = (value: Json) => Json | undefined;

/** Compiles a path. A path into a list, such as `variants[].price`, reads the values of all items. */
export function pathReader(path: string): ReadPath {
  if (path === SELF) return (value) => value;
  const at = path.indexOf(IN_LIST);
  if (at < 0) {
    const read = valueReader(path);
    return (value) => (isObject(value) ? read(value) : undefined);
  }
  const [list, rest] = [pathReader(path.slice(0, at)), path.slice(at + IN_LIST.length)];
  const inner = pathReader(rest);
  return (value) => {
    const items = list(value);
    if (!Array.isArray(items)) return undefined;
    const found = items.map(inner).filter((each) => each !== undefined);
    return rest.includes(IN_LIST) ? found.flat() : found;
  };
}

/** True if the objects have this path, as far as they show. Empty lists show nothing about their items. */
export function haveField(items: readonly Json[], path: string): boolean {
  const at = path.indexOf(IN_LIST);
  if (at < 0) return items.some((item) => pathReader(path)(item) !== undefined);
  const lists = items
    .map(pathReader(path.slice(0, at)))
    .filter((list) => list === null || Array.isArray(list));
  const inner = lists.flatMap((list) => list ?? []);
  return lists.length > 0 && (inner.length === 0 || haveField(inner, path.slice(at + IN_LIST.length)));
}

/** `variants.0.price` → `variants[].price`: an index becomes any item. */
export function ofAnyItem(path: string): string {
  return path.replace(/\.\d+(?=\.|$)/g, '[]');
}
