/** Replaces secrets in text that leaves the program. */
export interface Mask {
  (text: string): string;
  /** A secret that became known while running. */
  add(secret: string): void;
  /** The same for one of many that follow each other: only the latest are remembered. */
  addToken(token: string): void;
}

const HIDDEN = '***';

/** Tokens that are remembered: a run of days may see thousands, and those of long ago hold no more. */
const MOST_TOKENS = 100;

/** Shorter secrets would blank out ordinary words, so they are only replaced where a value stands: `name=value`. */
const SHORTEST_ANYWHERE = 4;

/** A value under a name that always holds a secret: in a query, a list of headers or JSON, also JSON inside JSON. */
const NAMED =
  /((?:client[_-]?secret|refresh[_-]?token|access[_-]?token|x-auth-token)(?:\\*["'])?\s*(?:[=:]|%3D|%3A)\s*(?:\\*["'])?)([^\s"'\\&,;<>{}[\]]+)/gi;

/**
 * A mask for the given secrets: each is replaced wherever it stands, as it is, percent-encoded, escaped or as
 * base64, and so is any value that is named like a secret.
 */
export function createMask(secrets: readonly string[]): Mask {
  const known = new Set<string>();
  const tokens = new Set<string>();
  let patterns: readonly RegExp[] = [];

  function add(secret: string): void {
    if (secret === '' || known.has(secret)) return;
    known.add(secret);
    patterns = patternsFor([...known, ...tokens]);
  }

  function addToken(token: string): void {
    if (token === '') return;
    const isNew = !tokens.delete(token);
    tokens.add(token);
    const [oldest] = tokens;
    if (oldest !== undefined && tokens.size > MOST_TOKENS) tokens.delete(oldest);
    if (isNew) patterns = patternsFor([...known, ...tokens]);
  }

  function mask(text: string): string {
    let masked = text.replace(NAMED, `$1${HIDDEN}`);
    for (const pattern of patterns) masked = masked.replace(pattern, HIDDEN);
    return masked;
  }

  for (const secret of secrets) add(secret);
  return Object.assign(mask, { add, addToken });
}

function patternsFor(secrets: readonly string[]): RegExp[] {
  const anywhere = alternatives(secrets.filter((secret) => secret.length >= SHORTEST_ANYWHERE));
  const values = alternatives(secrets.filter((secret) => secret.length < SHORTEST_ANYWHERE));
  return [
    ...(anywhere === '' ? [] : [new RegExp(anywhere, 'g')]),
    ...(values === '' ? [] : [new RegExp(`(?<=[=:]\\s*["']?)(?:${values})(?=["'&\\s,;}\\]]|$)`, 'g')]),
  ];
}

/** Longest first: a secret that contains another must not leave its tail behind. */
function alternatives(secrets: readonly string[]): string {
  return [...new Set(secrets.flatMap(formsOf))]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|');
}

/** How one secret may be written: plain, in a URL, inside JSON text or HTML, and as base64. */
function formsOf(secret: string): string[] {
  const json = jsonForm(secret);
  // A text that has the secret may itself be quoted in JSON, or be part of another URL.
  const urls = urlForms(secret);
  return [
    secret,
    json,
    jsonForm(json),
    htmlForm(secret),
    ...urls,
    ...urls.map(percent),
    ...base64Forms(secret),
  ];
}

function jsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Either case of hex digits, `+` for a space; URLSearchParams encodes more characters than encodeURIComponent does. */
function urlForms(secret: string): string[] {
  const encoded = percent(secret);
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  return [encoded, lowerHex(encoded), encoded.replaceAll('%20', '+'), form, lowerHex(form)];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** As a page repeats it. */
function htmlForm(secret: string): string {
  return secret.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Shorter pieces of base64 might be ordinary words. */
const SHORTEST_BASE64 = 8;

/**
 * Base64 writes three bytes at a time, so that what stands before the secret (a user name, in a header) shifts it in one
 * of three ways. At its ends the digits depend on its neighbours; those between are only its own.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const bits = 8 * (shift + bytes.length);
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const own = text.slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
    const url = own.replaceAll('+', '-').replaceAll('/', '_');
    return own.length < SHORTEST_BASE64 ? [] : [own, url];
  });
}

function percent(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

/** encodeURIComponent throws for half a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}
