import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/index.ts';
import { maskContacts } from '../../../src/pipeline/prepare/mask-contacts.ts';

describe('masking contacts', () => {
  const payload = {
    firstname: 'Yasmine',
    email: 'y@shop.example',
    phone: '+213 555 00 00 01',
    address: { phone: '0555', city: { name: 'Oran' }, zip: '31000' },
    details: [{ customer: { email: 'z@shop.example' } }, 'phone', 5, null, true],
    note: 'call me',
  };
  const masked = maskContacts(payload);

  test('replaces every address and number at any depth, and keeps the rest', () => {
    expect(masked).toEqual({
      ...payload,
      email: expect.stringMatching(/^contact-[0-9a-f]{12}@example\.invalid$/),
      phone: expect.stringMatching(/^\+999\d{12}$/),
      address: { ...payload.address, phone: expect.stringMatching(/^\+999\d{12}$/) },
      details: [
        { customer: { email: expect.stringMatching(/^contact-[0-9a-f]{12}@example\.invalid$/) } },
        'phone',
        5,
        null,
        true,
      ],
    });
    expect(JSON.stringify(masked)).not.toContain('shop.example');
  });

  test('gives the same result each time, however the address is written', () => {
    expect(maskContacts(payload)).toEqual(masked);
    expect(maskContacts({ email: ' Y@Shop.example ' }).email).toBe(masked.email);
  });

  test('does not change the original payload', () => {
    expect(payload.email).toBe('y@shop.example');
  });

  test('keeps distinct contacts distinct', () => {
    const phones = new Set<unknown>();
    const emails = new Set<unknown>();
    for (let index = 0; index < 10_000; index++) {
      const { phone, email } = maskContacts({ phone: `+2135550${index}`, email: `c${index}@shop.example` });
      phones.add(phone);
      emails.add(email);
    }
    expect(phones.size).toBe(10_000);
    expect(emails.size).toBe(10_000);
  });

  test('keeps values that are not text, and creates no other prototypes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (generated) => {
        const value = JSON.parse(JSON.stringify(generated)) as Json;
        expect(maskContacts({ note: value })).toEqual({ note: value });
      }),
      { examples: [[[1, { a: [null] }]]] },
    );
    maskContacts(JSON.parse('{"__proto__":{"email":"x"}}'));
    expect({}).not.toHaveProperty('email');
  });
});
