import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMask, UNCHECKED } from '../../../src/store/mask/mask.ts';
import { anyText } from '../../support/any-text.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { CHARACTER_WAYS, undone, WHOLE_WAYS } from './written-secrets.ts';

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

  test('hides a secret as base64, whatever surrounds it', () => {
    for (const before of ['', 'm', 'me', 'me:', 'user:'])
      for (const after of ['', 'x', ', and more'])
        for (const form of ['base64', 'base64url'] as const) {
          const text = Buffer.from(before + secret + after).toString(form);
          const masked = mask(`Basic ${text}`);
          expect(masked).toContain('***');
          // Less than 8 characters beside the neighbours: too short to recognise.
          const left = Buffer.from(masked.replace(/^Basic /, '').replace('***', ''), 'base64').toString(
            'latin1',
          );
          expect(left).not.toContain('b+c');
          expect(left).not.toContain('d "e');
        }
  });

  test('hides values of names like those of secrets', () => {
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

  test('hides a short secret only where it is a value', () => {
    const short = createMask(['a', 'xyz']);
    expect(short('a day at the xyz; key=xyz&b=a')).toBe('a day at the xyz; key=***&b=***');
    expect(short('key=abc')).toBe('key=abc');
  });

  test('hides secrets that are added later', () => {
    const growing = createMask([]);
    expect(growing('token tok-12345')).toContain('tok-12345');
    growing.add('tok-12345');
    growing.add('tok-12345');
    expect(growing('token tok-12345')).toBe('token ***');
  });

  test('remembers the latest tokens, repeated tokens, and all secrets', () => {
    const growing = createMask(['the-secret']);
    for (let n = 1000; n < 2000; n++) {
      growing.addToken(`access-${n}`);
      growing.addToken('refresh-1');
    }
    expect(growing('the-secret access-1999 access-1950 refresh-1')).toBe('*** *** *** ***');
    expect(growing('access-1000')).toBe('access-1000');
  });

  test('hides the whole of a secret that contains another secret', () => {
    expect(createMask(['abcd', 'abcdefgh'])('x abcdefgh y')).toBe('x *** y');
  });

  test('hides any secret, whatever its characters', () => {
    fc.assert(
      fc.property(anyText({ minLength: 8 }), (any) => {
        const masked = createMask([any])(`«${any}» and «${encodeURIComponent(any)}»`);
        expect(masked).toBe('«***» and «***»');
      }),
    );
  });

  test('hides a secret that contains separators, after a name of a secret', () => {
    expect(createMask(['a&b, "c" d'])('clientSecret=a&b, "c" d; x')).toBe('clientSecret=***; x');
  });

  test('hides overlapping secrets, and the whole of a secret that repeats itself', () => {
    expect(createMask(['abcdef', 'defghi'])('x abcdefghi y')).toBe('x *** y');
    expect(createMask(['ababX'])('x abababXab y')).toBe('x ab***ab y');
    expect(createMask(['aaaa'])('aaaaaa')).toBe('***');
  });

  test('hides the beginning of a truncated secret if it is at least half of the secret', () => {
    const cut = createMask(['0123456789abcdef']);
    expect(cut('said 0123456789')).toBe('said ***');
    expect(cut('said 01234567… and more')).toBe('said ***… and more');
    expect(cut('said 01234567 and more, 0123456')).toBe('said 01234567 and more, 0123456');
  });

  test('hides secrets and tokens of any length', () => {
    const long = 'a.b-c_d'.repeat(10_000);
    const growing = createMask([`${long}1`]);
    growing.addToken(`${long}2`);
    growing.addToken('x'.repeat(50_000));
    expect(growing(`x ${long}1 ${long}2 y ${'x'.repeat(50_001)}`)).toBe('x *** *** y ***');
  });

  test('remembers few of many long tokens, and always the latest', () => {
    const growing = createMask([]);
    const token = (n: number) => `${n}-${'x'.repeat(1_000_000)}`;
    for (let n = 0; n < 8; n++) growing.addToken(token(n));
    expect(growing(token(7))).toBe('***');
    expect(growing(token(4))).toBe('***');
    expect(growing(token(0))).toBe(token(0));
  });

  test('hides the whole text if it cannot be checked, or if a secret could not be added', () => {
    const broken = createMask([secret]);
    expect(broken(undefined as unknown as string)).toBe(UNCHECKED);
    expect(broken('still works')).toBe('still works');
    broken.addToken({ length: 10 } as unknown as string);
    expect(broken('any text')).toBe(UNCHECKED);
    // The rest of the text and the asterisks together are the secret again.
    expect(createMask(['word', 'a***'])('aword')).toBe(UNCHECKED);
  });
});

/** Ways in which other programs write a text. Independent of `secret-forms.ts`, which this tests. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  percent: (text) => encodeURIComponent(text),
  form: (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'percent in small digits': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json, twice': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'json of PHP': (text) => unicode(JSON.stringify(text)).replaceAll('/', '\\/').slice(1, -1),
  'json of Python': (text) => unicode(JSON.stringify(text)).slice(1, -1),
  html: (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'html of PHP': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#039;'),
};

function unicode(text: string): string {
  return text.replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

describe('the mask, for any secrets and texts', () => {
  const secrets = fc.oneof(
    fc.string({ minLength: 4, maxLength: 40 }),
    fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' }),
    fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom('a', 'b', '\\', '"', '&') }),
    fc.string({ minLength: 4, unit: fc.constantFrom(...'.*+?^{}$()|[]\\/-=&%#') }),
    fc.nat(5).map((more) => 'ab.+'.repeat(100 + more)),
  );
  const around = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('clientSecret=', '…', '\\', 'aaa', '***'),
  );

  test.each(Object.entries(WAYS))('hides a secret written as %s', (_way, write) => {
    fc.assert(
      fc.property(
        fc.array(secrets, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(around, fc.nat(3)), { maxLength: 8 }),
        around,
        (known, parts, end) => {
          const mask = createMask(known.slice(0, 2));
          for (const token of known.slice(2)) mask.addToken(token);
          const written = known.map(write).filter(({ length }) => length >= 4);
          const text =
            parts.map(([before, at]) => before + (written[at % written.length] ?? '')).join('') + end;
          const masked = mask(text);
          for (const form of written) expect(masked.includes(form)).toBe(false);
        },
      ),
      { numRuns: scaledRuns(100) },
    );
  });
});

describe('the mask, for characters that are each escaped in a way of their own', () => {
  const ways = Object.values(CHARACTER_WAYS);
  const characters = fc.oneof(
    fc.constantFrom(...'aZ09-_.~+/=&%;#"\'<>\\ '),
    fc.string({ minLength: 1, maxLength: 1 }),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  );
  const secrets = fc
    .array(characters, { minLength: 4, maxLength: 24 })
    .map((parts) => parts.join(''))
    .filter((text) => text.trim().length >= 4);
  /** A secret, and the ways of its characters in turn. */
  const written = fc
    .tuple(secrets, fc.array(fc.nat(ways.length - 1), { minLength: 1, maxLength: 12 }))
    .map(([secret, order]) => ({
      secret,
      text: [...secret].map((letter, index) => ways[order[index % order.length] ?? 0]?.(letter)).join(''),
    }));

  test('hides a secret in any mix of escapes, and nothing around it', () => {
    fc.assert(
      fc.property(written, fc.boolean(), ({ secret, text }, isToken) => {
        const mask = createMask(isToken ? [] : [secret]);
        if (isToken) mask.addToken(secret);
        expect(mask(`«${text}»`)).toBe('«***»');
        expect(mask.holds(text)).toBe(true);
      }),
      { numRuns: scaledRuns(2000) },
    );
  });

  test('leaves no text that is the secret once all escapes are undone', () => {
    const around = fc.string({ maxLength: 12, unit: fc.constantFrom(...'%&\\#;u0041x3dabc"=: ') });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(around, written), { minLength: 1, maxLength: 4 }),
        around,
        (parts, end) => {
          const mask = createMask(parts.map(([, { secret }]) => secret));
          const masked = mask(parts.map(([before, { text }]) => before + text).join('') + end);
          for (const [, { secret }] of parts)
            for (const text of undone(masked)) expect(text.includes(secret)).toBe(false);
        },
      ),
      { numRuns: scaledRuns(500) },
    );
  });

  test.each(Object.entries(CHARACTER_WAYS))('hides a secret with each character %s', (_, write) => {
    for (const secret of ['S3cr&t+/=%;"\'<>\\', 'clé-Zürich-😀']) {
      const text = [...secret].map(write).join('');
      expect(createMask([secret])(`said ${text}.`)).toBe('said ***.');
    }
  });

  test.each(Object.entries(WHOLE_WAYS))('hides a secret %s', (_, write) => {
    fc.assert(
      // Base64 of a shorter secret might be an ordinary word.
      fc.property(
        secrets.filter((secret) => Buffer.byteLength(secret) >= 8),
        (secret) => {
          // The last digit of base64 may belong to what follows.
          expect(createMask([secret])(`said ${write(secret)} and more`)).toMatch(
            /^said \*\*\*(?:\w|%2[BF])? and more$/,
          );
        },
      ),
      { numRuns: scaledRuns(100) },
    );
  });

  test('hides a short secret only where it is a value', () => {
    expect(createMask(['a='])('a%3D; key=a%3D; b: &#97;&equals;')).toBe('a%3D; key=***; b: ***');
  });

  test('hides the beginning of a truncated secret, with a truncated escape', () => {
    const cut = createMask(['0123456789=abcdef']);
    for (const end of ['%', '%3', '&', '&#', '&#6', '\\', '\\u', '\\u003', '&equ'])
      for (const rest of ['', '… and more'])
        expect(cut(`said 01&#50;3456789${end}${rest}`)).toBe(`said ***${rest}`);
    expect(cut('said 01&#50;3456789% and more')).toBe('said 01&#50;3456789% and more');
  });

  test('leaves escapes alone that are no secret', () => {
    const text = '{"a":"%41%20\\u0041&amp;\\"é\\n&#61;%zz&nothing;\\","b":"0123456789abcdef"}';
    expect(createMask(['S3cr3t-S3cr3t', 'tok-123456'])(text)).toBe(text);
  });

  test('hides the whole text if a secret that repeats itself makes the search too long', () => {
    const mask = createMask([`${'a'.repeat(20_000)}b`]);
    expect(mask(`${'a'.repeat(24_000)}%20`)).toBe(UNCHECKED);
    expect(mask('a%20b')).toBe('a%20b');
  });
});
