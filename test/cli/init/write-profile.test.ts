import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { withProfile } from '../../../src/cli/init/write-profile.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { anyText } from '../../support/any-text.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const PROFILE = { 'base-url': 'https://a.example', 'client-id': 'me', 'client-secret': 's#cret: "1"' };

const COMMENTED = `# All shops of the group.
profiles:
  # The first shop.
  paris:
    client-id: one # of the head office
    base-url: https://paris.example

  lyon: { base-url: https://lyon.example }

# Differences of the API.
api:
  reviews:
    list: { pageSize: 20 } # the most that it takes
`;

describe('a profile in the text of a configuration file', () => {
  test('a new file has the profile and a comment', () => {
    expect(withProfile('', 'lamps', PROFILE)).toBe(
      `# Stores that storeport works with; choose one with --profile NAME. Keep this file out of version control.

profiles:
  lamps:
    base-url: https://a.example
    client-id: me
    client-secret: 's#cret: "1"'
`,
    );
  });

  test('a new profile is added after the others, and everything else stays as it is', () => {
    const added = `  lamps:
    base-url: https://a.example
    client-id: me
    client-secret: 's#cret: "1"'
`;
    expect(withProfile(COMMENTED, 'lamps', PROFILE)).toBe(
      COMMENTED.replace('\n# Differences', `${added}\n# Differences`),
    );
  });

  test('a replaced profile keeps its comments, its order and its api section', () => {
    const before = `profiles:
  lamps:
    client-secret: old # of May
    api: { reviews: { list: { pageSize: 20 } } }
    base-url: https://old.example
    client-id: old
    store-id: of-the-old-store
`;
    expect(withProfile(before, 'lamps', PROFILE)).toBe(`profiles:
  lamps:
    client-secret: 's#cret: "1"' # of May
    api: { reviews: { list: { pageSize: 20 } } }
    base-url: https://a.example
    client-id: me
`);
  });

  test('the store id stays if only the credentials change', () => {
    const before = `profiles:\n  lamps: { base-url: https://a.example/api/, store-id: '66' }\n`;
    expect(parse(withProfile(before, 'lamps', PROFILE)).profiles.lamps).toEqual({
      ...PROFILE,
      'store-id': '66',
    });
    const other = { ...PROFILE, 'store-id': '77' };
    expect(parse(withProfile(before, 'lamps', other)).profiles.lamps).toEqual(other);
  });

  test.each([
    ['only comments', '# nothing yet\n'],
    ['an empty list of profiles', 'profiles:\napi:\n'],
    ['a name that YAML reads as a number', 'profiles:\n  2024: { client-id: x }\n'],
    ['JSON', '{"profiles": {"a": {"client-id": "x"}}}'],
    ['line ends of Windows', 'profiles:\r\n  a:\r\n    client-id: x\r\n'],
  ])('a file with %s takes a profile', (_what, text) => {
    const before = parse(text) ?? {};
    const result = withProfile(text, '2024', PROFILE);
    expect(parse(result)).toEqual({ ...before, profiles: { ...before.profiles, 2024: PROFILE } });
    expect(result.includes('\r\n')).toBe(text.includes('\r\n'));
    expect(result.includes('# nothing yet')).toBe(text.includes('# nothing yet'));
  });

  test('a profile that others repeat by an alias is refused, since they would change too', () => {
    const text = 'profiles:\n  a: &a { client-id: x }\n  b: *a\n';
    expect(() => withProfile(text, 'a', PROFILE)).toThrow(ConfigError);
    expect(parse(withProfile(text, 'c', PROFILE)).profiles.b).toEqual({ 'client-id': 'x' });
  });

  test('any secret is read back as it was written', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1 }), fc.string({ minLength: 1 }), (secret, id) => {
        const written = { ...PROFILE, 'client-secret': secret, 'client-id': id };
        const { profiles } = parse(withProfile(COMMENTED, 'lamps', written));
        expect(profiles.lamps).toEqual(written);
        expect(profiles.paris).toEqual(parse(COMMENTED).profiles.paris);
      }),
      { numRuns: scaledRuns(50) },
    );
  });
});
