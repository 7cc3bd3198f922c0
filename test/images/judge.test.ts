import { expect, test } from 'vitest';
import { judge } from '../../src/images/judge.ts';

const MOST = 1000;
const answer = (more: object) =>
  ({ headers: {}, start: Buffer.alloc(0), ...more }) as Parameters<typeof judge>[0];

test.each([
  ['ENOTFOUND', 'there is no host of that name'],
  ['ECONNREFUSED', 'its server refuses connections'],
  ['CERT_HAS_EXPIRED', 'the certificate of its server has expired'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its server has no valid certificate (SELF_SIGNED_CERT_IN_CHAIN)'],
])('an image whose GET ends with %s is dead, without another request', (error, found) => {
  expect(judge(answer({ error }), MOST)).toEqual({ finding: { verdict: 'dead', found, isUnanswered: true } });
});

test.each(['ECONNRESET', 'EAI_AGAIN', 'PROXY_502'])(
  'an image whose GET ends with %s is asked for again',
  (error) => {
    expect(judge(answer({ error }), MOST)).toMatchObject({ again: 'later' });
  },
);
