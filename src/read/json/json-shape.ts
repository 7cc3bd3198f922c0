import { type Json, MAX_JSON_DEPTH } from '../../model/index.ts';

/** How the items are arranged in a JSON file. */
export type Shape =
  /** A list: the file itself, or inside an object, at `path`. `start` is the offset of its `[`. */
  | { readonly kind: 'list'; readonly start: number; readonly path: readonly string[] }
  /** One item a line. */
  | { readonly kind: 'lines' }
  /** One object, or several in sequence, over any number of lines. */
  | { readonly kind: 'objects' };

/** Usual names of lists. Such a list is accepted even if other members precede it. */
const LIST_NAMES =
  /^(?:data|items|results?|records|rows|values|list|entries|content|payload|response|nodes|edges|products|customers|orders|suppliers|vendors|discounts|coupons|price_rules|reviews)$/i;

/** File names that mean one item a line. */
export const NAMED_LINES = /\.(?:ndjson|jsonl|jsonlines|ldjson)(?:\.gz)?$/i;

/** True if text begins as JSON does; a CSV header in brackets, such as `[id],[name]`, does not. */
export function looksLikeJson(head: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]\d-]|$))/.test(head);
}

/** Detects the shape of a file from its beginning. `whole` is true if that is the whole file. */
export function jsonShape(file: string, head: Buffer, whole: boolean): Shape {
  const text = head.toString('latin1');
  const first = skipBlanks(text, 0);
  if (NAMED_LINES.test(file)) return { kind: 'lines' };
  if (text[first] === '[') return { kind: 'list', start: first, path: [] };
  if (text[first] !== '{') return { kind: 'objects' };
  const end = endOfValue(text, first);
  const onOneLine = !/[\r\n]/.test(text.slice(first, end));
  if (end !== undefined && skipBlanks(text, end) < text.length)
    return { kind: onOneLine && /^[ \t]*[\r\n]/.test(text.slice(end)) ? 'lines' : 'objects' };
  const list = findList(text, first);
  if (list) return { kind: 'list', ...list };
  return { kind: end === undefined && onOneLine && !whole ? 'lines' : 'objects' };
}

interface List {
  readonly start: number;
  readonly path: readonly string[];
}

/**
 * Finds the list of objects that an object wraps: its first member, or one with a usual name. It may be
 * inside a member that is an object itself.
 *
 * The list of an item such as `{"id": 7, "variants": [{…}]}` is not one. An empty list counts only if it is the first
 * member and has a usual name, as in the answer `{"products": []}`.
 */
function findList(text: string, object: number, depth = 1): List | undefined {
  // Items so deep are refused, so there is no list to find.
  if (depth > MAX_JSON_DEPTH) return undefined;
  let at = skipBlanks(text, object + 1);
  for (let first = true; text[at] === '"'; first = false) {
    const nameEnd = endOfValue(text, at);
    if (nameEnd === undefined) return undefined;
    const name = nameOf(text.slice(at, nameEnd));
    at = skipBlanks(text, nameEnd);
    if (name === undefined || text[at] !== ':') return undefined;
    at = skipBlanks(text, at + 1);
    const believed = first || LIST_NAMES.test(name);
    const inside = text[at] === '[' ? text[skipBlanks(text, at + 1)] : undefined;
    if (inside === '{' ? believed : inside === ']' && first && LIST_NAMES.test(name))
      return { start: at, path: [name] };
    if (believed && text[at] === '{') {
      const inner = findList(text, at, depth + 1);
      if (inner) return { start: inner.start, path: [name, ...inner.path] };
    }
    const end = endOfValue(text, at);
    if (end === undefined || text[skipBlanks(text, end)] !== ',') return undefined;
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  return undefined;
}

function nameOf(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // Not JSON: the reader reports the position.
    return undefined;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at]!)) at++;
  return at;
}

/** Returns the index after the value that begins at `from`; undefined if the text ends before. */
function endOfValue(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth < 0) return at;
    if (depth === 0 && !quoted && (`"}]`.includes(char) || /[\s,]/.test(text[at + 1] ?? ''))) return at + 1;
  }
  return undefined;
}

/** Finds lists of objects around the list that was read. Returns their paths, for a warning that they are not read. */
export function otherLists(around: Json, read: readonly string[], path: readonly string[] = []): string[] {
  if (typeof around !== 'object' || around === null || Array.isArray(around)) return [];
  return Object.entries(around).flatMap(([name, value]) => {
    const here = [...path, name];
    if (Array.isArray(value))
      return here.join('.') !== read.join('.') &&
        value.some((each) => typeof each === 'object' && each !== null)
        ? [here.join('.')]
        : [];
    return otherLists(value, read, here);
  });
}
