import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/model/index.ts';
import { isPlainHttpElsewhere, LONGEST_BASE_URL, normaliseBaseUrl } from '../../src/store/base-url.ts';

describe('the base URL', () => {
  const cases: readonly [string, string][] = [
    ['https://api.example.com', 'https://api.example.com'],
    ['  https://api.example.com/  ', 'https://api.example.com'],
    ['https://api.example.com/api', 'https://api.example.com'],
    ['https://api.example.com/api//', 'https://api.example.com'],
    ['https://api.example.com/shop/api/', 'https://api.example.com/shop'],
    ['https://api.example.com/myapi', 'https://api.example.com/myapi'],
    ['api.example.com', 'https://api.example.com'],
    ['api.example.com:8443/api', 'https://api.example.com:8443'],
    ['localhost:4010', 'http://localhost:4010'],
    ['127.0.0.1:4010/', 'http://127.0.0.1:4010'],
    ['localhost.example.com', 'https://localhost.example.com'],
    ['HTTPS://API.Example.com', 'https://api.example.com'],
    ['http://api.example.com', 'http://api.example.com'],
  ];
  for (const [text, url] of cases) {
    test(`${JSON.stringify(text)} is ${url}`, () => expect(normaliseBaseUrl(text)).toBe(url));
  }

  test('is refused if the ledger could not keep it', () => {
    const longest = 'https://api.example.com/'.padEnd(LONGEST_BASE_URL, 'x');
    expect(normaliseBaseUrl(longest)).toBe(longest);
    expect(() => normaliseBaseUrl(`${longest}x`)).toThrow(
      'The base URL has 401 characters; at most 400 can be used.',
    );
  });

  for (const text of [
    '',
    ' ',
    'ftp://x',
    'file:///etc',
    'https://me:hunter2@x',
    'https://x?a=1',
    'https://x/#a',
    'https://',
    'a b',
  ]) {
    test(`${JSON.stringify(text)} is refused`, () => {
      expect(() => normaliseBaseUrl(text)).toThrow(ConfigError);
      expect(() => normaliseBaseUrl(text)).not.toThrow(/hunter2/);
    });
  }

  test('plain http to another machine causes a warning only', () => {
    expect(isPlainHttpElsewhere('http://api.example.com')).toBe(true);
    expect(isPlainHttpElsewhere('http://192.168.1.5:80')).toBe(true);
    for (const here of [
      'http://localhost:1',
      'http://127.0.0.1:1',
      'http://[::1]:1',
      'https://api.example.com',
    ]) {
      expect(isPlainHttpElsewhere(here)).toBe(false);
    }
  });
});
