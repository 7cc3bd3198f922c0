import type { Json, JsonObject } from '../model/index.ts';

/**
 * The value at a dotted path such as `product._id` or `images.0.src`; undefined where there is none. A field whose
 * own name has dots in it comes first.
 */
export function valueAt(item: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(item, path)) return item[path];
  let value: Json | undefined = item;
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/**
 * A value as the text of a cell: objects and lists as JSON, nothing for null and undefined. A list of plain words
 * is joined: `["red", "blue"]` → `red|blue`.
 */
export function cellText(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value) && isPlainList(value)) return value.join('|');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether splitting the joined text at `|` and trimming the parts gives exactly this list back. */
function isPlainList(list: readonly Json[]): list is string[] {
  if (list.length === 0 || new Set(list).size !== list.length) return false;
  if (!list.every((item) => typeof item === 'string' && item !== '' && item.trim() === item)) return false;
  // A cell that begins like JSON is read as JSON.
  return !list.some((item) => (item as string).includes('|')) && !/^[[{]/.test(list[0] as string);
}

/** Without an exponent: in a table `1.5e-7` looks like what a spreadsheet has done to a long number. */
function numberText(value: number): string {
  const text = String(value);
  const [, sign = '', first = '', others = '', exponent] = WITH_EXPONENT.exec(text) ?? [];
  if (exponent === undefined) return text;
  const [digits, point] = [first + others, Number(exponent) + 1];
  return sign + (point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`);
}

/** How numbers beyond 21 digits, or with six noughts behind the point, are written by themselves. */
const WITH_EXPONENT = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;
