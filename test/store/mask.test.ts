import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMask } from '../../src/store/mask.ts';

describe('the mask', () => {
  const secret = 'a&b+c%d "e" ü';
  const mask = createMask([secret]);
  const forms: readonly [string, string][] = [
    ['plain', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['in small hex digits', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['as a form', new URLSearchParams({ s: secret }).toString().slice(2)],
    ['inside JSON', JSON.stringify({ any: secret })],
    ['inside JSON that is quoted in JSON', JSON.stringify(JSON.stringify({ any: secret }))],
    ['in a URL that is part of another', encodeURIComponent(`/x?a=${encodeURIComponent(secret)}`)],
    ['on a page', 'a&amp;b+c%d &quot;e&quot; ü'],
  ];
  for (const [what, text] of forms) {
    test(`hides a secret ${what}`, () => {
      const masked = mask(`before ${text} after`);
      expect(masked).toContain('***');
      expect(masked).not.toContain(text);
      expect(masked).toMatch(/^before .* after$/);
    });
  }

  test('hides a secret as base64, whatever stands around it', () => {
    for (const before of ['', 'm', 'me', 'me:', 'user:'])
      for (const after of ['', 'x', ', and more'])
        for (const form of ['base64', 'base64url'] as const) {
          const text = Buffer.from(before + secret + after).toString(form);
          const masked = mask(`Basic ${text}`);
          expect(masked).toContain('***');
          // What is left, beside the neighbours, is too short to tell.
          const left = Buffer.from(masked.replace(/^Basic /, '').replace('***', ''), 'base64').toString(
            'latin1',
          );
          expect(left).not.toContain('b+c');
          expect(left).not.toContain('d "e');
        }
  });

  test('hides what is named like a secret', () => {
    const plain = createMask([]);
    expect(plain('GET /x?clientId=me&clientSecret=abc&refresh=true')).toBe(
      'GET /x?clientId=me&clientSecret=***&refresh=true',
    );
    expect(plain('{"refreshToken":"abc","accessToken": "d.e.f","n":1}')).toBe(
      '{"refreshToken":"***","accessToken": "***","n":1}',
    );
    expect(plain('x-auth-token: abc.def')).toBe('x-auth-token: ***');
    expect(plain('"{\\"refreshToken\\":\\"abc\\"}"')).toBe('"{\\"refreshToken\\":\\"***\\"}"');
  });

  test('leaves a short secret alone unless it stands for a value', () => {
    const short = createMask(['a', 'xyz']);
    expect(short('a day at the xyz; key=xyz&b=a')).toBe('a day at the xyz; key=***&b=***');
    expect(short('key=abc')).toBe('key=abc');
  });

  test('learns new secrets while it runs', () => {
    const growing = createMask([]);
    expect(growing('token tok-12345')).toContain('tok-12345');
    growing.add('tok-12345');
    growing.add('tok-12345');
    expect(growing('token tok-12345')).toBe('token ***');
  });

  test('remembers the latest tokens, those that come again, and secrets for ever', () => {
    const growing = createMask(['the-secret']);
    for (let n = 1000; n < 2000; n++) {
      growing.addToken(`access-${n}`);
      growing.addToken('refresh-1');
    }
    expect(growing('the-secret access-1999 access-1950 refresh-1')).toBe('*** *** *** ***');
    expect(growing('access-1000')).toBe('access-1000');
  });

  test('hides the whole of a secret that contains another one', () => {
    expect(createMask(['abcd', 'abcdefgh'])('x abcdefgh y')).toBe('x *** y');
  });

  test('hides any secret, whatever its characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: 'binary' }), (any) => {
        const masked = createMask([any])(`«${any}» and «${encodeURIComponent(any)}»`);
        expect(masked).toBe('«***» and «***»');
      }),
    );
  });
});
