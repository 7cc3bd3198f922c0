import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

const subscribers = (name: string, ...cells: readonly string[]) => {
  const rows = cells.map((cell, n) => `Ann,Lee,a${n}@x.com,${cell}`);
  const { payloads, draft } = suggested(
    'customers',
    [`First name,Last name,Email,${name}`, ...rows].join('\n'),
  );
  const field = draft.fields.find((each) => each.field === 'isSubscriber');
  return { flags: payloads.map(({ isSubscriber }) => isSubscriber), field, payloads, draft };
};

describe('customers who get a newsletter', () => {
  test.each([
    'Member status',
    'Marketing opt-in',
    'Status',
    'Email Marketing Consent',
    'Subscription',
    'MC_STATE',
  ])('are those with the word `subscribed` in %s', (name) => {
    const { flags, payloads } = subscribers(
      name,
      ...['subscribed', 'Unsubscribed', 'cleaned', 'pending', 'non-subscribed', 'not_subscribed', ''],
    );
    expect(flags).toEqual([true, false, false, false, false, false, undefined]);
    expect(payloads.some((payload) => 'status' in payload)).toBe(false);
  });

  test.each([
    ['Abonniert', 'Abgemeldet'],
    ['inscrit', 'désinscrit'],
    ['suscrito', 'no suscrito'],
    ['iscritto', 'disiscritto'],
    ['aangemeld', 'afgemeld'],
    ['подписан', 'отписан'],
    ['購読中', '購読解除'],
    ['Double Opt-In', 'Opt-out'],
  ])('are known by the words %s and %s', (yes, no) => {
    expect(subscribers('Newsletter', yes, no, yes, no).flags).toEqual([true, false, true, false]);
  });

  test('customers who get a newsletter are those who are active beside others who are unsubscribed', () => {
    const { flags } = subscribers('Status', 'active', 'unsubscribed', 'unsubscribed', 'bounced');
    expect(flags).toEqual([true, false, false, false]);
  });

  test('customers who get a newsletter are never those with a word that is not known', () => {
    const cells = ['subscribed', 'unsubscribed', 'subscribed', 'unsubscribed', 'subscribed', 'moonlit'];
    const { flags, field } = subscribers('Member status', ...cells);
    expect(flags).toEqual([true, false, true, false, true, false]);
    expect(field?.doubt).toBe(
      'it is not known what these words mean, so their customers get no newsletter: moonlit',
    );
  });

  test('customers who get a newsletter are not guessed from the state of an account', () => {
    const { field, payloads } = subscribers('Status', 'active', 'inactive', 'active');
    expect(field).toBeUndefined();
    expect(payloads.map(({ status }) => status)).toEqual(['ACTIVE', 'UNACTIVE', 'ACTIVE']);
  });

  test('customers who get a newsletter are read by yes and no below a name that says a newsletter', () => {
    const { flags, field } = subscribers('Newsletter', 'yes', 'no');
    expect(flags).toEqual([true, false]);
    expect(field?.doubt).toBeUndefined();
  });
});
