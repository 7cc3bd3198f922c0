import { grouped } from './amounts.ts';

/** Nesting of JSON from outside. No shop has deeper objects, and later code may walk them recursively. */
export const MAX_JSON_DEPTH = 100;

/** Values of one document: a page of 100 large products has some 50,000. Each takes up to 100 bytes when it is parsed. */
export const MAX_JSON_VALUES = 500_000;

/** Fields of one object. A name is kept for as long as V8 likes, so that names without number fill the memory. */
export const MAX_JSON_FIELDS = 5000;

/** A limit that a document exceeds. */
export type JsonLimit = 'depth' | 'values' | 'fields';

/** Thrown for JSON that is not parsed, or not used, since it exceeds a limit. */
export class JsonLimitError extends SyntaxError {
  readonly limit: JsonLimit;
  constructor(limit: JsonLimit) {
    super(JSON_LIMIT_WORDS[limit]);
    this.limit = limit;
  }
}

/** The end of a sentence about a document that exceeds a limit. */
export const JSON_LIMIT_WORDS: Readonly<Record<JsonLimit, string>> = {
  depth: `has objects or lists inside each other more than ${MAX_JSON_DEPTH} deep`,
  values: `has more than ${grouped(MAX_JSON_VALUES)} values`,
  fields: `has an object with more than ${grouped(MAX_JSON_FIELDS)} fields`,
};

/** Documents with fewer bytes are parsed as they are: they cannot fill the memory, and scanning would cost a tenth of parsing. */
const SMALL_BYTES = 64 * 1024;

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * The limit that JSON exceeds; undefined if it exceeds none, or is not JSON. JSON.parse has no limits: 16 MB of `[[[` become
 * a gigabyte. Reads small documents not at all, and others at about a nanosecond a byte.
 */
export function exceededLimit(json: string | Uint8Array): JsonLimit | undefined {
  if (json.length < SMALL_BYTES) return undefined;
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  let depth = 0;
  let values = 0;
  let isQuoted = false;
  /** Commas in each open object; a list starts far below zero. */
  const commas = new Int32Array(MAX_JSON_DEPTH + 1);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) {
      if (byte === BACKSLASH) at++;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > MAX_JSON_DEPTH) return 'depth';
      commas[depth] = byte === OPEN_LIST ? -MAX_JSON_VALUES : 1;
      values++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA) {
      values++;
      const fields = (commas[depth] ?? 0) + 1;
      if (fields > MAX_JSON_FIELDS) return 'fields';
      commas[depth] = fields;
    }
    if (values > MAX_JSON_VALUES) return 'values';
  }
  return undefined;
}
