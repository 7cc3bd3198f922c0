import { expect, test } from 'vitest';
import { imageAddress } from '../../src/images/address.ts';
import { createImageCheck, eachText } from '../../src/images/image-check.ts';
import type { ImageFault } from '../../src/images/verdict-file.ts';
import type { JsonObject } from '../../src/model/index.ts';

const FAULTS: Readonly<Record<string, ImageFault>> = {
  'https://a.example/dead.jpg?sig=secret': { verdict: 'dead', found: 'its server answered with 404' },
  'https://a.example/page.jpg': { verdict: 'not-an-image', found: 'it is an HTML page (text/html)' },
  'https://a.example/large.jpg': { verdict: 'too-large', found: 'it has 30 MB' },
  'https://a.example/private.jpg': { verdict: 'needs-login', found: 'its server answered with 403' },
  'https://a.example/busy.jpg': { verdict: 'unknown', found: 'its server answered with 503' },
};

const byDigest = new Map(
  Object.entries(FAULTS).map(([address, fault]) => [imageAddress(address)?.digest, fault]),
);
const check = createImageCheck(['images.*.src'], { find: (digest) => byDigest.get(digest) }, 20_000_000);
const locate = (field: string) => ({ column: `column of ${field}` });

const payloadOf = (...addresses: string[]): JsonObject => ({ images: addresses.map((src) => ({ src })) });

test.each([
  [
    'dead.jpg?sig=secret',
    'image-dead',
    '"https://a.example/dead.jpg?…" cannot be fetched: its server answered with 404',
  ],
  [
    'page.jpg',
    'image-not-an-image',
    '"https://a.example/page.jpg" is not an image: it is an HTML page (text/html)',
  ],
  ['large.jpg', 'image-too-large', 'is too large: it has 30 MB, and 20 MB are allowed'],
  ['private.jpg', 'image-needs-login', 'is not public: its server answered with 403'],
])('the issue of %s has the code %s, the field and its cell', (name, code, message) => {
  const payload = payloadOf('https://a.example/fine.jpg', `https://user:pw@a.example/${name}`);
  const [issue, ...others] = check(payload, locate).issues;
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ code, field: 'images.1.src', column: 'column of images.1.src' });
  expect(issue?.message).toContain(message);
  expect(issue?.message).not.toMatch(/secret|pw/);
  expect(check(payload, locate).warnings).toEqual([]);
});

test('each wrong image of a record has an issue', () => {
  const payload = payloadOf('https://a.example/large.jpg', 'https://a.example/page.jpg');
  expect(check(payload, locate).issues.map(({ field }) => field)).toEqual(['images.0.src', 'images.1.src']);
});

test('an image that may be fine is a warning without its address, so that warnings are counted together', () => {
  const payload = payloadOf('https://a.example/busy.jpg');
  expect(check(payload, locate).issues).toEqual([]);
  expect(check(payload, locate).warnings).toEqual([
    'An image could not be checked: its server answered with 503. It may be fine.',
  ]);
});

test('texts at a path are found with their fields, and other values are passed over', () => {
  const found: string[] = [];
  const payload = {
    images: [{ src: 'a' }, { title: 'b' }, 'c', null, { src: 1 }, { src: 'd' }],
    image: { src: 'e' },
    list: ['f', 'g'],
  };
  for (const path of ['images.*.src', 'image.src', 'list.*', 'list.src', 'none.*', '__proto__.*'])
    eachText(payload, path.split('.'), (text, field) => found.push(`${field}=${text}`));
  expect(found).toEqual(['images.0.src=a', 'images.5.src=d', 'image.src=e', 'list.0=f', 'list.1=g']);
});
