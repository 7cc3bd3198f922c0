import type { Delivery, OperationKind } from '../../../src/model/index.ts';
import * as wire from '../../support/store/adversary.ts';
import { DOORS, type Door } from '../../support/store/doors.ts';

/** Verdict, code, and the number of requests that the store received whole. */
export type End = readonly [Delivery['verdict'], string | undefined, number];

/** The end of a delivery if this happens to its first attempt, and later attempts succeed. */
export type Row = { readonly what: string; readonly ends: Readonly<Record<OperationKind, End>> } & (
  | { readonly step: wire.Step; readonly timeoutMs?: number | undefined }
  | { readonly door: Door }
);

const TWICE: End = ['done', undefined, 2];
const ONCE: End = ['done', undefined, 1];

const again = { create: TWICE, update: TWICE, read: TWICE };
const unseen = { create: ONCE, update: ONCE, read: ONCE };
const doubt = (code: string) => ({ create: ['in-doubt', code, 1] as const, update: TWICE, read: TWICE });
const noAnswer = doubt('no-answer');
const serverError = doubt('server-error');
const unreadable = doubt('accepted-unreadable');
const all = (end: End) => ({ create: end, update: end, read: end });
const refused = all(['rejected', 'store-refused', 1]);
const byPage = all(['rejected', 'refused-by-page', 1]);
const redirected = all(['rejected', 'redirected', 1]);

const at = (what: string, door: Door, ends: Row['ends']): Row => ({ what, door, ends });
const on = (what: string, step: wire.Step, ends: Row['ends'], timeoutMs?: number): Row => ({
  ...{ what, step, ends, timeoutMs },
});

const MIB = 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const HALF = '{"status":"success","data":{"_id":"66f0';
const LOST = 'upstream connect error or disconnect/reset before headers';
const SHORT_MS = 150;
const error = { status: 'error', message: 'no' };
const pointing = (location: string) => ({ location });

/** Situations, and how a create, an update and a read end in each. One row per situation. */
export const TABLE: Readonly<Record<string, readonly Row[]>> = {
  'nothing could be written': [
    at('nobody listens', DOORS.nobodyListens, unseen),
    at('nobody accepts the connection', DOORS.nobodyAccepts, unseen),
    at('the host name is unknown', DOORS.unknownName, unseen),
    at('the name server does not answer', DOORS.noNameServer, unseen),
    at('a reset in the TLS handshake', DOORS.resetsHandshake, unseen),
    at('a certificate for another host', DOORS.otherHost, unseen),
    at('a certificate that has expired', DOORS.expired, unseen),
    at('plain HTTP where TLS is spoken', DOORS.noTls, unseen),
  ],
  'the token is refused': [
    on('401', wire.json(401, error), again),
    on('400 of a token that has run out', wire.json(400, { message: 'Token has expired' }), again),
    on('403 of a token that has run out', wire.json(403, { code: 'TOKEN_EXPIRED' }), again),
  ],
  'the store asks to wait': [
    on('429 without Retry-After', wire.reply(429), again),
    on('429 with Retry-After', wire.reply(429, '', { 'retry-after': '3' }), again),
    on('503 with Retry-After', wire.reply(503, 'busy', { 'retry-after': '1' }), again),
    on("503 in the API's own JSON", wire.json(503, error), again),
  ],
  'the store, or a server before it, failed': [
    on('bare 503', wire.reply(503, 'no healthy upstream'), serverError),
    on("503 in a gateway's JSON", wire.json(503, { message: 'Service Unavailable' }), serverError),
    on('503 of a lost answer, with Retry-After', wire.reply(503, LOST, { 'retry-after': '1' }), serverError),
    on('408', wire.reply(408), serverError),
    on('500', wire.json(500, error), serverError),
    on('502', wire.reply(502), serverError),
    on('504', wire.reply(504), serverError),
    on('501', wire.reply(501), serverError),
    on('507', wire.reply(507), serverError),
    on('520', wire.reply(520, '<html>Unknown error</html>'), serverError),
    on('500 that is cut off', wire.truncated(500), serverError),
    on('a 500 of 17 MiB', wire.huge(17 * MIB, 500), serverError),
  ],
  'no answer': [
    on('a reset after the whole request', wire.reset, noAnswer),
    on('the end of the connection instead of an answer', wire.hangUp, noAnswer),
    on('something that is not HTTP', wire.garbage, noAnswer),
    on('a status line without an end', wire.bytes(OK), noAnswer),
    on('headers that are none', wire.bytes(`${OK}no header\r\n\r\n{}`), noAnswer),
    on('headers without end', wire.bytes(`${OK}x: ${'y'.repeat(64 * 1024)}`), noAnswer),
    on('a hint of an answer, and then none', wire.bytes('HTTP/1.1 103 Early Hints\r\n\r\n'), noAnswer),
    on('silence', wire.stall, noAnswer, SHORT_MS),
    on('headers byte by byte', wire.trickle(20, 'headers'), noAnswer, SHORT_MS),
  ],
  'an unreadable answer': [
    on('an answer byte by byte', wire.trickle(20), unreadable, SHORT_MS),
    on(
      'headers, and then no body',
      wire.bytes(`${OK}content-length: 9\r\n\r\n`, 'silence'),
      unreadable,
      SHORT_MS,
    ),
    on('half of a 200 without a length', wire.bytes(`${OK}\r\n${HALF}`), unreadable),
    on(
      'a 200 in chunks without the last chunk',
      wire.bytes(`${CHUNKED}${HALF.length.toString(16)}\r\n${HALF}\r\n`),
      unreadable,
    ),
    on('a 200 in chunks that are none', wire.bytes(`${CHUNKED}what?\r\n${HALF}`), unreadable),
    on('a 200 that is cut off', wire.truncated(200), unreadable),
    on('a 200 of 17 MiB', wire.huge(17 * MIB), unreadable),
    on('an HTML page with 200', wire.html, unreadable),
    on('an empty 200', wire.reply(200), unreadable),
    on('204', wire.reply(204), unreadable),
  ],
  'accepted without an identifier': [
    // A list has no identifier of its own, so a read accepts this answer.
    on('a 200 with other JSON', wire.json(200, { results: [] }), { ...unreadable, read: ONCE }),
  ],
  'a redirect': [
    ...[301, 302, 303, 307, 308].map((status) =>
      on(String(status), wire.reply(status, '', pointing('/api/products/create')), redirected),
    ),
    on('one without a place', wire.reply(302), redirected),
  ],
  'a refusal': [
    ...[400, 402, 403, 404, 405, 409, 410, 413, 415, 422, 451].map((status) =>
      on(String(status), wire.json(status, error), refused),
    ),
    on("a web server's own 404", wire.html404(), byPage),
    on("a firewall's 403", wire.reply(403, '<html><title>Blocked</title></html>'), byPage),
    on('a 422 that is cut off', wire.truncated(422), refused),
    on('a 200 that says it failed', wire.json(200, error), refused),
  ],
};
