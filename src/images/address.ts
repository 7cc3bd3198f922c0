import { createHash } from 'node:crypto';
import { cutText } from '../model/index.ts';

/** The address of an image as it is asked: without user name, password and fragment. */
export interface ImageAddress {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly href: string;
  /** Identifies the address. No file keeps the address itself, since its query may hold a secret. */
  readonly digest: string;
}

const DIGEST_BYTES = 16;

/** Reads an address. Undefined for one that cannot be asked, which validation refuses. */
export function imageAddress(text: string): ImageAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const { origin } = url;
  const { href } = withoutCredentials(url);
  const digest = createHash('sha256').update(href).digest().toString('base64url', 0, DIGEST_BYTES);
  return { origin, href, digest };
}

/** Removes user name, password and fragment. */
export function withoutCredentials(url: URL): URL {
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  if (url.hash !== '') url.hash = '';
  return url;
}

const MOST_SHOWN = 200;

/** An address for people. Its query is hidden, since signed addresses hold a secret there. */
export function shownAddress(text: string): string {
  if (!URL.canParse(text)) return cutText(text, MOST_SHOWN);
  const { origin, pathname, search } = new URL(text);
  return cutText(`${origin}${pathname}${search === '' ? '' : '?…'}`, MOST_SHOWN);
}
