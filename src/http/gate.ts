import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Decides who is answered. */
export interface Gate {
  /** The address to open. */
  readonly link: string;
  /** The answer to a request that is about signing in; undefined if it is about something else. Throws ConfigError. */
  answer(request: IncomingMessage, address: URL): GateAnswer | undefined | Promise<GateAnswer | undefined>;
  /** The reason to refuse a request; undefined if it is admitted. */
  refusal(request: IncomingMessage, address: URL): Refusal | undefined;
}

export interface GateAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. Left out, the answer is empty. */
  readonly value?: unknown;
}

/** Why a request is refused. Its words are shown to whoever opened the address. */
export interface Refusal {
  readonly status: 401 | 403 | 421 | 429;
  readonly message: string;
  readonly hints?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export function cookiesIn(header = ''): (readonly [string, string])[] {
  return header.split(';').map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
  });
}

/** Compares in a time that depends neither on the place of the first difference nor on the length of the secret. */
export function isSame(text: string, secret: string): boolean {
  return timingSafeEqual(digestOf(text), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
