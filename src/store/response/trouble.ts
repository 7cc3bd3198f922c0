import { CLOSED, PROXY_TROUBLE } from '../http/connections.ts';
import { ANSWER_TOO_COMPLEX, ANSWER_TOO_LARGE, DEADLINE } from '../http/transport.ts';
import type { HttpResult } from '../http/types.ts';

/** One kind of trouble on the wire. */
interface Trouble {
  readonly code: RegExp;
  /** The end of a sentence that begins with "The store"; "it" stands for the store. */
  readonly words: string;
  /** Advice to the user. */
  readonly hint?: string;
}

const BASE_URL = 'Is the base URL right, and is the store reachable from this machine?';
const OWN_AUTHORITY =
  'If an authority of your own signed it, such as that of a company proxy, name its certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem. Do not switch the check off: anybody in between could then read the client secret.';

/** By error code of Node, OpenSSL or undici; the first that fits counts. */
const TROUBLES: readonly Trouble[] = [
  { code: /^ENOTFOUND$/, words: 'could not be found: its host name is unknown' },
  { code: /^EAI_AGAIN$/, words: 'could not be found: the name server does not answer' },
  { code: /^ECONNREFUSED$/, words: 'refused the connection' },
  { code: /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, words: 'closed the connection' },
  { code: /^(?:ETIMEDOUT|UND_ERR_HEADERS_TIMEOUT)$/, words: 'did not answer in time' },
  { code: /^EHOSTUNREACH$/, words: 'could not be reached: there is no route to it' },
  { code: /^ENETUNREACH$/, words: 'could not be reached: there is no network' },
  { code: /^UND_ERR_CONNECT_TIMEOUT$/, words: 'could not be reached in time' },
  { code: /^UND_ERR_HEADERS_OVERFLOW$/, words: 'answered with too many headers' },
  { code: /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, words: 'cut its answer off' },
  { code: new RegExp(`^${DEADLINE}$`), words: 'did not answer in time' },
  { code: new RegExp(`^${ANSWER_TOO_LARGE}$`), words: 'gave an answer that is too large' },
  {
    code: new RegExp(`^${ANSWER_TOO_COMPLEX}$`),
    words: 'gave an answer that is nested too deeply, or has too many values or fields',
  },
  { code: new RegExp(`^${CLOSED}$`), words: 'had not answered when the run was interrupted' },
  { code: /^HPE_/, words: 'did not answer in HTTP' },
  {
    code: /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)/,
    words: 'could not be trusted: no authority that this machine trusts has signed its certificate',
    hint: OWN_AUTHORITY,
  },
  {
    code: /^CERT_HAS_EXPIRED$/,
    words: 'could not be trusted: its certificate has expired',
    hint: 'The store has to renew its certificate, unless the clock of this machine is wrong.',
  },
  {
    code: /^CERT_NOT_YET_VALID$/,
    words: 'could not be trusted: its certificate is not valid yet',
    hint: 'Is the clock of this machine right?',
  },
  {
    code: /ALTNAME_INVALID/,
    words: 'could not be trusted: its certificate is for another host',
    hint: 'Is the host in the base URL right? A network that wants a login first can answer like this too.',
  },
  {
    code: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|SSL_HTTP_REQUEST|^EPROTO$/,
    words: 'does not speak https there',
    hint: 'If it speaks plain http, begin the base URL with http://; otherwise the port is not right.',
  },
];

/** One clause on trouble with the network, such as "refused the connection (ECONNREFUSED)". */
export function troubleWords({ error }: HttpResult): string {
  if (error === undefined) return 'gave no usable answer';
  const { code, message } = error;
  if (code.startsWith(PROXY_TROUBLE)) return `could not be reached: the proxy ${proxyWords(code, message)}`;
  const known = troubleOf(code);
  if (known !== undefined) return isOwn(code) ? known.words : `${known.words} (${code})`;
  if (/CERT|TLS|SSL/.test(code)) return `could not be trusted: ${message} (${code})`;
  return `could not be reached: ${message === '' ? code : message}`;
}

/** Hints for the user if the store gave no answer at all. */
export function troubleHints(exchange: HttpResult, baseUrl: string): readonly string[] {
  const code = exchange.error?.code ?? '';
  if (code === `${PROXY_TROUBLE}407`) return [PROXY_PASSWORD];
  if (code.startsWith(PROXY_TROUBLE)) return [PROXY_ADDRESS];
  if (speaksTls(exchange, baseUrl)) return [SPEAKS_TLS];
  return [troubleOf(code)?.hint ?? BASE_URL];
}

const PROXY_PASSWORD =
  'Write them into its address, percent-encoded: HTTPS_PROXY=http://user:password@proxy.example.com:3128.';
const PROXY_ADDRESS =
  'Is the proxy in HTTPS_PROXY (HTTP_PROXY for plain http) right? NO_PROXY names hosts that are reached without it.';

function proxyWords(code: string, message: string): string {
  const inner = code.slice(PROXY_TROUBLE.length);
  if (inner === '407') return 'wants a user name and a password (407)';
  if (/^\d+$/.test(inner)) return `answered with status ${inner}`;
  return troubleWords({ sent: false, error: { code: inner, message } });
}

export const SPEAKS_TLS = 'Does it speak https there? Then begin the base URL with https://.';

/**
 * True if a store that was contacted in plain HTTP may require TLS: such a server hangs up, answers in bytes of TLS, or
 * says so with a 400.
 */
export function speaksTls({ status, body = '', error }: HttpResult, baseUrl: string): boolean {
  if (!baseUrl.startsWith('http:')) return false;
  if (status === undefined) return /^(?:ECONNRESET|UND_ERR_SOCKET|HPE_.*)$/.test(error?.code ?? '');
  return status === 400 && /plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server/i.test(body);
}

function troubleOf(code: string): Trouble | undefined {
  return TROUBLES.find((trouble) => trouble.code.test(code));
}

/** Codes of undici and our own add nothing to the words. */
function isOwn(code: string): boolean {
  return (
    code.startsWith('UND_ERR_') || [DEADLINE, ANSWER_TOO_LARGE, ANSWER_TOO_COMPLEX, CLOSED].includes(code)
  );
}
