import { isObject, type Json } from '../../model/index.ts';
import { readComplaint } from './body.ts';

const KINDS =
  '(?:(?:the|your|this|provided|access|auth|authentication|authorization|bearer|session|x-auth)[ -])*';

/**
 * A whole sentence about the token, and not one in which the word occurs: records are texts of all kinds, and stores
 * quote them ("Invalid token '<' in html", "name 'Expired token' is taken").
 */
const SENTENCES: readonly RegExp[] = [
  new RegExp(
    `^${KINDS}(?:token|jwt) (?:(?:has|is|was|been|already) )*(?:expired|invalid|revoked|not valid|no longer valid|not valid any more)(?:$|[.,;!(])`,
    'i',
  ),
  new RegExp(`^(?:expired|invalid|revoked) ${KINDS}(?:token|jwt)(?:$|[.,;!(])`, 'i'),
];

/** A complaint about the token as a code: `TOKEN_EXPIRED`, `invalid_token` (RFC 6750), `TokenExpiredError`. */
const CODE =
  /^(?:(?:err(?:or)?_)?(?:access_|auth_)?(?:token|jwt)_?(?:is_)?(?:expired|invalid|revoked)(?:_?error)?|(?:expired|invalid|revoked)_(?:access_|auth_)?token)$/i;

/**
 * True if a refusal is about the access token and nothing else. Some stores report an expired token with 400 or 403
 * instead of 401. A refusal that names a field is about the record.
 */
export function complainsOfToken(answer: Json | undefined): boolean {
  if (!isObject(answer)) return false;
  const { message, field } = readComplaint(answer, undefined);
  if (field !== undefined && !/^(?:x-auth-|access)?token$/i.test(field)) return false;
  const nested = isObject(answer.error) ? answer.error : {};
  const codes = [answer.code, answer.name, answer.error, nested.code, nested.name, message];
  return (
    codes.some((code) => typeof code === 'string' && CODE.test(code)) ||
    (message !== undefined && SENTENCES.some((sentence) => sentence.test(message)))
  );
}
