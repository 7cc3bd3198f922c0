import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

const MOST_SKEW_MS = 15 * 60_000;
const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/**
 * Checks a signature of version 4 as a store does, by the specification and with nothing of the client's library. Returns the
 * code of the refusal, or undefined if it is valid.
 */
export function signatureFault(request: IncomingMessage, body: Buffer, keys: S3Keys): string | undefined {
  const [, id, day = '', region = '', names = '', signature = ''] =
    FORM.exec(request.headers.authorization ?? '') ?? [];
  if (id === undefined) return 'AccessDenied';
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== keys.region) return 'AuthorizationHeaderMalformed';
  const date = String(request.headers['x-amz-date'] ?? '');
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < MOST_SKEW_MS) || !date.startsWith(day)) return 'RequestTimeTooSkewed';
  const digest = String(request.headers['x-amz-content-sha256'] ?? '');
  if (digest !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const signed = names.split(';');
  const needed = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  if (needed.some((name) => !signed.includes(name))) return 'AccessDenied';
  if (keys.sessionToken !== undefined && request.headers['x-amz-security-token'] !== keys.sessionToken)
    return 'InvalidToken';
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical(request, signed, digest))].join('\n');
  const key = ['aws4_request', 's3', region, day].reduceRight<string | Buffer>(
    (key, part) => hmac(key, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const expected = hmac(key, toSign);
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch';
}

function canonical(request: IncomingMessage, signed: readonly string[], digest: string): string {
  const [path = '', search = ''] = (request.url ?? '').split('?');
  const query = search
    .split('&')
    .filter(Boolean)
    .map((pair) => pair.split('='))
    .map(([name = '', value = '']) => [encode(decodeURIComponent(name)), encode(decodeURIComponent(value))])
    .sort(([a = '', x = ''], [b = '', y = '']) => (a === b ? compare(x, y) : compare(a, b)))
    .map((pair) => pair.join('='))
    .join('&');
  const headers = signed.map(
    (name) =>
      `${name}:${String(request.headers[name] ?? '')
        .trim()
        .replaceAll(/ +/g, ' ')}\n`,
  );
  const uri = path
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/');
  return [request.method, uri, query, headers.join(''), signed.join(';'), digest].join('\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Encodes all but unreserved characters (RFC 3986). */
function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9._~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
