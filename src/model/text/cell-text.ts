import type { Json, JsonObject } from '../json.ts';

/**
 * Reads the value at a dotted path such as `product._id` or `images.0.src`; undefined where there is none. Then a field
 * counts whose own name has dots in it.
 */
export function valueReader(path: string): (item: JsonObject) => Json | undefined {
  const at = path.lastIndexOf('.');
  if (at < 0) return fieldReader(path);
  const above = valueReader(path.slice(0, at));
  const field = fieldReader(path.slice(at + 1));
  const own = fieldReader(path);
  return (item) => {
    const object = above(item);
    const value = typeof object === 'object' && object !== null ? field(object as JsonObject) : undefined;
    return value === undefined ? own(item) : value;
  };
}

/** Own fields only: `constructor` and its like are data where they stand, and nothing where they do not. */
function fieldReader(name: string): (object: JsonObject) => Json | undefined {
  // To ask each time costs more than to read.
  if (name in Object.prototype || name in Array.prototype)
    return (object) => (Object.hasOwn(object, name) ? object[name] : undefined);
  return (object) => object[name];
}

/**
 * A value as the text of a cell: objects and lists as JSON, nothing for null and undefined. A list of plain words
 * is joined: `["red", "blue"]` → `red|blue`.
 */
export function cellText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (isPlainList(value)) return value.join('|');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether splitting the joined text at `|` and trimming the parts gives exactly this list back. */
function isPlainList(list: readonly Json[]): list is string[] {
  if (!list.every(isPlainWord)) return false;
  // A cell that begins like JSON is read as JSON.
  return !/^[[{]/.test(list[0] as string) && (list.length === 1 || new Set(list).size === list.length);
}

function isPlainWord(item: Json): boolean {
  return typeof item === 'string' && item !== '' && !item.includes('|') && item.trim() === item;
}

/** Without an exponent: in a table `1.5e-7` looks like what a spreadsheet has done to a long number. */
function numberText(value: number): string {
  const text = String(value);
  // Most have none, and are many.
  const parts = text.includes('e') ? WITH_EXPONENT.exec(text) : null;
  if (parts === null) return text;
  const [, sign = '', first = '', others = '', exponent] = parts;
  const [digits, point] = [first + others, Number(exponent) + 1];
  return sign + (point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`);
}

/** How numbers beyond 21 digits, or with six noughts behind the point, are written by themselves. */
const WITH_EXPONENT = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;
