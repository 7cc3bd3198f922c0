import { ConfigError } from '../model/index.ts';

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** Characters of a base URL: the ledger keeps it in a block of fixed size. */
export const LONGEST_BASE_URL = 400;
const HERE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Normalises the store's base URL as people paste it. Removes `/` and `/api` at the end, since every path of the API
 * begins with `/api`. A missing scheme means https, or http for this machine. Throws ConfigError if it cannot be used.
 *
 *     api.example.com/        → https://api.example.com
 *     https://a.example/api/  → https://a.example
 *     localhost:4010          → http://localhost:4010
 */
export function normaliseBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new ConfigError('The base URL is empty.', [EXAMPLE]);
  const withScheme = SCHEME.test(trimmed) ? trimmed : `${schemeFor(trimmed)}://${trimmed}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || url.hostname === '') {
    throw new ConfigError('The base URL is not a URL.', [EXAMPLE]);
  }
  // The errors below do not repeat the URL: the text may be a secret in the wrong place.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigError(`The base URL begins with ${url.protocol}//; it must begin with https://.`, [
      EXAMPLE,
    ]);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError('The base URL contains a user name or password; remove it.', [
      'The client id and the client secret are given separately.',
    ]);
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(trimmed)) {
    throw new ConfigError('The base URL contains a query (?…) or a fragment (#…); remove it.', [EXAMPLE]);
  }
  const path = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/api$/i, '')
    .replace(/\/+$/, '');
  const normalised = url.origin + path;
  if (normalised.length > LONGEST_BASE_URL)
    throw new ConfigError(
      `The base URL has ${normalised.length} characters; at most ${LONGEST_BASE_URL} can be used.`,
      [EXAMPLE],
    );
  return normalised;
}

/** True if a normalised base URL would send the secret unencrypted to another machine, which is worth a warning. */
export function isPlainHttpElsewhere(baseUrl: string): boolean {
  const url = new URL(baseUrl);
  return url.protocol === 'http:' && !isHere(url.hostname);
}

const EXAMPLE = 'It looks like https://api.example.com.';

function schemeFor(text: string): 'http' | 'https' {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  return url !== undefined && isHere(url.hostname) ? 'http' : 'https';
}

export function isHere(hostname: string): boolean {
  return HERE.has(hostname) || hostname.endsWith('.localhost') || /^127(\.\d+){3}$/.test(hostname);
}
