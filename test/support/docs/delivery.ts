import { MAX_TRIES } from '../../../src/store/delivery/delivery.ts';
import { type Action, actionFor, CODES, RULES, type Situation } from '../../../src/store/response/rules.ts';
import { codeLink, table } from './markdown.ts';

const SITUATION_WORDS: Readonly<Record<Situation, string>> = {
  'not-sent': 'No connection: name not found, refused, TLS, too slow. Nothing of the request was written',
  unsendable: 'The request is not one that can be sent over HTTP',
  unauthorized:
    '401: the token is not valid (any more); if the store accepts the new token and still refuses, the record is rejected with `store-refused`',
  'token-refused':
    '400 or 403 whose body speaks of the access token and of nothing else; if a new token is refused too, the record is refused',
  throttled: '429: too many requests',
  unavailable: "503 with `Retry-After`, or in the API's own JSON: refused before anything happened",
  'no-answer': 'The request was written, and then: no answer in time, connection closed, not HTTP',
  'server-error': '408, 500, 502, 504, a bare 503, any other 5xx',
  unreadable: '2xx, but the answer is empty, cut off, too large or not JSON',
  'accepted-without-id': '2xx with JSON that has no id',
  'other-record': '2xx with a record that has another key than the one that was sent',
  redirect: '3xx: redirects are not followed',
  refused: 'Any other 4xx',
  'refused-by-page':
    'The same with a web page as its answer: mostly from a firewall or a web server in between',
  'body-says-failed': '2xx with JSON that says it failed',
  done: '2xx that says it worked',
};

const ACTION_WORDS: Readonly<Record<Action, string>> = {
  done: 'done',
  wait: 'waited, sent again for as long as an outage may last',
  again: `sent again, ${MAX_TRIES} tries in all`,
  refresh: 'new token, sent again',
  'in-doubt': '**in doubt**, not sent again',
  rejected: 'rejected',
  failed: 'failed',
};

export function deliveryRules(): string {
  const rows = (Object.keys(RULES) as Situation[]).map((situation) => {
    const { create, update, read } = RULES[situation];
    const resent = create === 'in-doubt' && actionFor(situation, 'create', 'resend') === 'again';
    const repeatable = [...new Set([update, read])].map((action) => ACTION_WORDS[action]).join('; a read: ');
    return [
      SITUATION_WORDS[situation],
      `${ACTION_WORDS[create]}${resent ? ' (but with `--in-doubt resend`)' : ''}`,
      repeatable,
      situation === 'done' ? '–' : codeLink(CODES[situation]),
    ];
  });
  return table(['what happened', 'a create is', 'an update or a read is', 'code'], rows);
}
