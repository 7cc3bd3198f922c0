import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/index.ts';
import { complainsOfToken } from '../../../src/store/response/token-complaint.ts';

describe('a refusal for the access token', () => {
  const yes: readonly Json[] = [
    { message: 'Token expired' },
    { message: 'The access token has expired.' },
    { status: 'error', message: 'Invalid token' },
    { error: 'jwt expired' },
    { error: 'invalid_token', error_description: 'x' },
    { error: { code: 'TOKEN_EXPIRED', message: 'Please log in' } },
    { name: 'TokenExpiredError', message: 'jwt expired' },
    { message: 'Your session token is no longer valid, please log in' },
    { message: 'x-auth-token is invalid', field: 'x-auth-token' },
    { errors: [{ message: 'token was revoked' }] },
  ];
  test.each(yes.map((answer) => [JSON.stringify(answer), answer] as const))('%s', (_, answer) => {
    expect(complainsOfToken(answer)).toBe(true);
  });
});

describe('a refusal for another reason', () => {
  const no: readonly (Json | undefined)[] = [
    undefined,
    'Token expired',
    { message: "Invalid token '<' in html" },
    { message: 'Invalid token: <script>' },
    { message: 'Unexpected token < in JSON at position 0' },
    { message: "The name 'Expired token' is taken" },
    { message: 'Token expired toys are not sold here' },
    { message: 'Token expired', field: 'name' },
    { message: 'The coupon has expired' },
    { message: 'reference is invalid', data: { message: 'Token expired' } },
    { code: 'TOKEN_LIMIT' },
    { message: '' },
  ];
  test.each(no.map((answer) => [JSON.stringify(answer), answer] as const))('%s', (_, answer) => {
    expect(complainsOfToken(answer)).toBe(false);
  });
});
