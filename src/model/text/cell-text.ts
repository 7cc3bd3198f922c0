import type { Json, JsonObject } from '../json.ts';
import { ownValue } from '../own-value.ts';

/**
 * Returns a function that reads the value at a dotted path, such as `product._id` or `images.0.src`. If there is none,
 * it reads a field whose own name contains the dots. It returns undefined if neither exists.
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

/** Reads own fields only: an inherited name such as `constructor` is data only if the object has such a field. */
function fieldReader(name: string): (object: JsonObject) => Json | undefined {
  // Checking each time costs more than reading.
  if (name in Object.prototype || name in Array.prototype) return (object) => ownValue(object, name);
  return (object) => object[name];
}

/**
 * Converts a value to the text of a cell: objects and lists to JSON, null and undefined to empty text. A list of plain
 * words is joined: `["red", "blue"]` → `red|blue`.
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

/** True if splitting the joined text at `|` and trimming the parts restores exactly this list. */
function isPlainList(list: readonly Json[]): list is string[] {
  if (!list.every(isPlainWord)) return false;
  // An import parses a cell that begins like JSON.
  return !/^[[{]/.test(list[0] as string) && (list.length === 1 || new Set(list).size === list.length);
}

function isPlainWord(item: Json): boolean {
  return typeof item === 'string' && item !== '' && !item.includes('|') && item.trim() === item;
}

/** Writes a number without an exponent: `1.5e-7` in a table looks like a long number damaged by a spreadsheet. */
function numberText(value: number): string {
  const text = String(value);
  // The regular expression is run only for the few numbers with an exponent.
  const parts = text.includes('e') ? WITH_EXPONENT.exec(text) : null;
  if (parts === null) return text;
  const [, sign = '', first = '', rest = '', exponent] = parts;
  const [digits, point] = [first + rest, Number(exponent) + 1];
  return sign + (point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`);
}

/** The form that JavaScript gives numbers beyond 21 digits, or with six zeros after the decimal point. */
const WITH_EXPONENT = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;
