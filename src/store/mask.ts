/** Replaces secrets in text that leaves the program. */
export interface Mask {
  (text: string): string;
  /** A secret that became known while running, such as a token. */
  add(secret: string): void;
}

const HIDDEN = '***';

/** Shorter secrets would blank out ordinary words, so they are only replaced where a value stands: `name=value`. */
const SHORTEST_ANYWHERE = 4;

/** A value under a name that always holds a secret: in a query, a list of headers or JSON, also JSON inside JSON. */
const NAMED =
  /((?:client[_-]?secret|refresh[_-]?token|access[_-]?token|x-auth-token)(?:\\*["'])?\s*(?:[=:]|%3D|%3A)\s*(?:\\*["'])?)([^\s"'\\&,;<>{}[\]]+)/gi;

/**
 * A mask for the given secrets: each is replaced wherever it stands, as it is, percent-encoded or JSON-escaped, and so
 * is any value that is named like a secret.
 */
export function createMask(secrets: readonly string[]): Mask {
  const known = new Set<string>();
  let patterns: readonly RegExp[] = [];

  function add(secret: string): void {
    if (secret === '' || known.has(secret)) return;
    known.add(secret);
    patterns = patternsFor([...known]);
  }

  function mask(text: string): string {
    let masked = text.replace(NAMED, `$1${HIDDEN}`);
    for (const pattern of patterns) masked = masked.replace(pattern, HIDDEN);
    return masked;
  }

  for (const secret of secrets) add(secret);
  return Object.assign(mask, { add });
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

/** How one secret may be written: plain, in a URL (either case of hex digits, `+` for a space), inside JSON text. */
function formsOf(secret: string): string[] {
  const percent = encodeURIComponent(wellFormed(secret));
  const json = JSON.stringify(secret).slice(1, -1);
  const all = [secret, percent, lowerHex(percent), percent.replaceAll('%20', '+'), json];
  // URLSearchParams encodes more characters than encodeURIComponent does.
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  return [...all, form, lowerHex(form)];
}

/** encodeURIComponent throws for half a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}
