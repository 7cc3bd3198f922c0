import { constants, gunzipSync } from 'node:zlib';
import { type ImageVerdict, ownValue } from '../model/index.ts';
import { IMAGE_DEADLINE, type ImageAnswer, PRIVATE_HOST } from './exchange.ts';
import { recognise } from './recognise.ts';

/** A verdict about one address, with its reason. */
export interface ImageFinding {
  readonly verdict: ImageVerdict;
  /** Reason in words, without the address: `its server answered with 404`. Empty for an image. */
  readonly found: string;
  /** Bytes of the image; undefined if unknown. */
  readonly size?: number | undefined;
  /** True if the server gave no answer at all. */
  readonly isUnanswered?: boolean;
}

/** The meaning of an answer: a finding, or a reason to ask again. */
export type ImageJudgement =
  | { readonly finding: ImageFinding }
  /** `found`: the reason if it does not pass. */
  | { readonly again: 'later' | 'whole'; readonly found: string };

/** Statuses by meaning. Others from 400 to 499 are dead. */
const LOGIN: ReadonlySet<number> = new Set([401, 403]);
const PASSES: ReadonlySet<number> = new Set([407, 408, 425, 429]);
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205]);
const RANGE_REFUSED = 416;

/** Errors that say for certain that nothing can be fetched, by code. */
const DEAD_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host of that name',
  ECONNREFUSED: 'its server refuses connections',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of its server is for another host',
  CERT_HAS_EXPIRED: 'the certificate of its server has expired',
};

/** Codes of TLS for certificates that nobody vouches for, and for servers that do not speak it. */
const TLS_ERROR = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|EPROTO|HOSTNAME_MISMATCH)/;

const TIMEOUTS: ReadonlySet<string> = new Set([IMAGE_DEADLINE, 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** True if the server gave no answer in time, as one that hangs. */
export function isTimeout({ error, status }: ImageAnswer): boolean {
  return error !== undefined && status === undefined && TIMEOUTS.has(error);
}

/** The finding for an error that no further request can change; undefined for any other answer. */
export function deadByError({ error, isRedirected = false }: ImageAnswer): ImageFinding | undefined {
  if (error === undefined) return undefined;
  if (error === PRIVATE_HOST)
    return isRedirected
      ? { verdict: 'private', found: 'it is redirected to a private address' }
      : { verdict: 'private', found: 'its host has a private address', isUnanswered: true };
  const known = ownValue(DEAD_ERRORS, error);
  const found =
    known ?? (TLS_ERROR.test(error) ? `its server has no valid certificate (${error})` : undefined);
  return found === undefined ? undefined : { verdict: 'dead', found, isUnanswered: true };
}

/** The finding if the image is beyond the limit. */
export function tooLarge({ size = 0, isTooLong }: ImageAnswer, mostBytes: number): ImageFinding | undefined {
  if (isTooLong) return { verdict: 'too-large', found: `it has more than ${megabytes(mostBytes)}` };
  return size > mostBytes ? { verdict: 'too-large', found: `it has ${megabytes(size)}` } : undefined;
}

/** Judges the answer to a GET, without redirects. */
export function judge(answer: ImageAnswer, mostBytes: number): ImageJudgement {
  const { status, error } = answer;
  const dead = deadByError(answer);
  if (dead) return { finding: dead };
  if (error !== undefined || status === undefined)
    return { again: 'later', found: troubleWords(error ?? 'no status') };
  const found = `its server answered with ${status}`;
  if (status === 200 || status === 206) return { finding: judgeBody(answer, mostBytes) };
  if (status === RANGE_REFUSED) return { again: 'whole', found };
  if (LOGIN.has(status)) return { finding: { verdict: 'needs-login', found } };
  if (WITHOUT_BODY.has(status)) return { finding: { verdict: 'not-an-image', found: 'it is empty' } };
  if (PASSES.has(status) || status >= 500) return { again: 'later', found };
  return { finding: { verdict: 'dead', found } };
}

/** Errors that may pass, by code. */
const PASSING_ERRORS: Readonly<Record<string, string>> = {
  [IMAGE_DEADLINE]: 'its answer was not complete in time',
  UND_ERR_CONNECT_TIMEOUT: 'its server accepted no connection in time',
  EAI_AGAIN: 'the name of its host could not be looked up',
  EHOSTUNREACH: 'its server could not be reached',
  ENETUNREACH: 'its server could not be reached',
  ECONNRESET: 'its server closed the connection',
  UND_ERR_SOCKET: 'its server closed the connection',
};

function troubleWords(error: string): string {
  if (error.startsWith('PROXY_')) return `the proxy did not reach its server (${error.slice(6)})`;
  const known = ownValue(PASSING_ERRORS, error);
  return known ?? `its answer could not be read (${error})`;
}

function judgeBody(answer: ImageAnswer, mostBytes: number): ImageFinding {
  const { headers, size } = answer;
  const kind = recognise(unpacked(answer));
  const type = String(headers['content-type'] ?? '')
    .replace(/;.*$/s, '')
    .trim()
    .toLowerCase();
  // Kinds that are rare have no signature here: then the server is believed.
  if (!(kind?.isImage ?? type.startsWith('image/'))) {
    const shown = /^[\w.+-]+\/[\w.+-]+$/.test(type) ? ` (${type})` : '';
    return { verdict: 'not-an-image', found: `it is ${kind?.name ?? 'of no known kind'}${shown}` };
  }
  return tooLarge(answer, mostBytes) ?? { verdict: 'ok', found: '', size };
}

/** The first bytes of the image, if the server packs it although it was not asked to. */
function unpacked({ headers, start }: ImageAnswer): Buffer {
  if (headers['content-encoding'] !== 'gzip') return start;
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // These bytes are no gzip, whatever the server says: they are judged as they are.
    return start;
  }
}

const MEGABYTE = 1_000_000;

/** `35.21 MB` */
export function megabytes(bytes: number): string {
  return `${Number((bytes / MEGABYTE).toFixed(2))} MB`;
}
