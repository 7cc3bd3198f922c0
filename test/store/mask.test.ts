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
  ];
  for (const [what, text] of forms) {
    test(`hides a secret ${what}`, () => {
      const masked = mask(`before ${text} after`);
      expect(masked).toContain('***');
      expect(masked).not.toContain(text);
      expect(masked).toMatch(/^before .* after$/);
    });
  }

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
