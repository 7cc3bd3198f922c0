import { isObject, type Json, type JsonObject, parseItem } from '../../model/index.ts';
import { oneLine } from '../one-line.ts';

/** Ids are 24 hex digits in practice. Anything much longer is not one. */
const MAX_ID_LENGTH = 200;

/** The store's words go into results.csv and onto screens. */
const MAX_WORDS_LENGTH = 500;

/** Secrets are hidden in this many characters of a text; the rest is cut off and never shown. */
const MAX_MASKED_LENGTH = 10_000;

/** The store's own account of a refusal. */
export interface Complaint {
  readonly message?: string;
  /** Payload path that it names. */
  readonly field?: string;
}

/** Hides secrets in a text, before it is cut or cleaned. */
type Edit = (text: string) => string;

/** Parses the body; undefined if it is empty or not JSON. `parse`: by default, one that keeps the digits of long numbers. */
export function parseJson(
  body: string | undefined,
  parse: (text: string) => Json = parseItem,
): Json | undefined {
  if (body === undefined || body === '') return undefined;
  try {
    return parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
  } catch {
    return undefined;
  }
}

/** Names under which stores put the record, for requests that name none themselves. */
const ENVELOPES: readonly string[] = ['data', 'result'];

/**
 * Reads the identifier of the record in an answer: under one of `envelopes`, tried in order, else bare.
 *
 *     {"status": "success", "data": {"_id": "…"}}    as the API document shows it
 *     {"result": {"_id": "…"}}
 *     {"customer": {"_id": "…"}}                     if the request names this envelope
 *     {"_id": "…"}                                   a bare record
 *
 * Other names are not searched: the customer in an order is not the order, even if the order itself has no `_id`.
 */
export function readId(answer: Json | undefined, envelopes?: readonly string[]): string | undefined {
  return findRecord(answer, envelopes)?.id;
}

/** A record in an answer, with its identifier. */
export interface FoundRecord {
  readonly id: string;
  readonly record: JsonObject;
}

/** Finds the record in an answer as `readId` does; undefined if no record with an identifier is there. */
export function findRecord(answer: Json | undefined, envelopes = ENVELOPES): FoundRecord | undefined {
  if (!isObject(answer)) return undefined;
  for (const name of envelopes) {
    const found = withId(answer[name]);
    if (found) return found;
  }
  return withId(answer);
}

function withId(value: Json | undefined): FoundRecord | undefined {
  if (!isObject(value)) return undefined;
  const id = idIn(value);
  return id === undefined ? undefined : { id, record: value };
}

const FAILURE_WORDS = new Set(['error', 'fail', 'failed', 'failure', 'false', 'ko']);
const SUCCESS_WORDS = new Set(['success', 'succeeded', 'ok', 'true']);

/** True if JSON that came with a 2xx says that the request failed. A bare record's own `status` is data. */
export function saysFailed(answer: Json | undefined): boolean {
  if (!isObject(answer) || idIn(answer) !== undefined) return false;
  const { status, success } = answer;
  if (success === false || status === false) return true;
  if (typeof status === 'string' && FAILURE_WORDS.has(status.trim().toLowerCase())) return true;
  if (typeof status === 'number' && status >= 400) return true;
  const hasData = isFilled(answer.data) || isFilled(answer.result);
  return !hasData && (isFilled(answer.error) || isFilled(answer.errors));
}

/** True if JSON says explicitly that the request succeeded. */
export function saysSucceeded(answer: Json | undefined): boolean {
  if (!isObject(answer) || saysFailed(answer)) return false;
  const { status, success } = answer;
  return (
    success === true ||
    status === true ||
    (typeof status === 'string' && SUCCESS_WORDS.has(status.trim().toLowerCase()))
  );
}

/**
 * Reads the store's own explanation, in the shapes that are common, since the API document shows none:
 * `message`, `error`, `errors[0].reason`, `errors[0].message`, `errors: {field: words}`, or plain text.
 *
 * `mask` is applied before anything is cut, so that no part of a secret is left at the end.
 */
export function readComplaint(
  answer: Json | undefined,
  body: string | undefined,
  mask: Edit = (words) => words,
): Complaint {
  const text = (value: Json | undefined) => wordsIn(value, mask);
  const path = (value: Json | undefined) => pathIn(value, mask);
  if (answer === undefined) return complaint(plainText(body, mask), undefined);
  if (typeof answer === 'string') return complaint(text(answer), undefined);
  const whole = isObject(answer) ? answer : {};
  const errors = whole.errors ?? whole.details;
  const first: Json | undefined = Array.isArray(errors) ? errors[0] : firstOf(errors);
  const detail = isObject(first) ? first : {};
  const nested = isObject(whole.error) ? whole.error : {};
  const words =
    text(whole.message) ??
    text(whole.error) ??
    text(nested.message) ??
    text(nested.reason) ??
    text(detail.reason) ??
    text(detail.message) ??
    text(first) ??
    text(whole.reason) ??
    text(whole.msg) ??
    text(isObject(whole.data) ? whole.data.message : undefined);
  const field =
    path(detail.field) ?? path(detail.path) ?? path(nested.field) ?? path(nested.path) ?? path(whole.field);
  return complaint(words, field);
}

function complaint(message: string | undefined, field: string | undefined): Complaint {
  return { ...(message !== undefined && { message }), ...(field !== undefined && { field }) };
}

function idIn(record: JsonObject): string | undefined {
  const id = Object.hasOwn(record, '_id') ? record._id : undefined;
  // A larger number has lost digits already.
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined;
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : undefined;
}

function isFilled(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value === 'object' ? Object.keys(value).length > 0 : true;
}

/** `{price: "must be a number"}` and `{price: ["must be a number"]}`, as some frameworks answer. */
function firstOf(errors: Json | undefined): Json | undefined {
  if (!isObject(errors)) return undefined;
  const [entry] = Object.entries(errors);
  if (entry === undefined) return undefined;
  const [field, value] = entry;
  const words = Array.isArray(value) ? value[0] : value;
  if (isObject(words)) return { field, ...words };
  return typeof words === 'string' ? { field, message: words } : undefined;
}

function wordsIn(value: Json | undefined, mask: Edit): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = oneLine(mask(value.slice(0, MAX_MASKED_LENGTH)), MAX_WORDS_LENGTH);
  return line === '' ? undefined : line;
}

/** `["price", "salePrice"]`, `/price/salePrice` and `price.salePrice` are the same place. */
function pathIn(value: Json | undefined, mask: Edit): string | undefined {
  if (Array.isArray(value)) {
    const parts = value.filter((part) => typeof part === 'string' || typeof part === 'number');
    return wordsIn(parts.join('.'), mask);
  }
  const line = wordsIn(value, mask);
  return line?.startsWith('/') ? line.slice(1).replaceAll('/', '.') : line;
}

/** Only the title of a page is worth repeating. */
function plainText(body: string | undefined, mask: Edit): string | undefined {
  if (body === undefined) return undefined;
  const head = body.slice(0, MAX_MASKED_LENGTH);
  if (!looksLikeHtml(head)) return wordsIn(head, mask);
  return wordsIn(/<title[^>]*>([^<]*)/i.exec(head)?.[1], mask);
}

export function looksLikeHtml(body: string): boolean {
  // Nearly every answer is a JSON object.
  return !body.startsWith('{') && /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body.slice(0, 200));
}
