import { expect, test } from 'vitest';
import { imageAddress, shownAddress } from '../../src/images/address.ts';

test('addresses that differ only in credentials, fragment or spelling are one', () => {
  const same = [
    'https://shop.example.com/a.jpg?v=1',
    'https://user:pw@shop.example.com/a.jpg?v=1#top',
    'HTTPS://SHOP.example.com:443/x/../a.jpg?v=1',
  ].map((text) => imageAddress(text));
  expect(new Set(same.map((address) => address?.digest)).size).toBe(1);
  expect(same[1]).toMatchObject({
    href: 'https://shop.example.com/a.jpg?v=1',
    origin: 'https://shop.example.com',
  });
});

test('addresses with different queries, ports or schemes are different', () => {
  const all = [
    'https://a.example/i?1',
    'https://a.example/i?2',
    'http://a.example/i?1',
    'https://a.example:8/i?1',
  ];
  expect(new Set(all.map((text) => imageAddress(text)?.digest)).size).toBe(4);
});

test.each(['', 'a.jpg', 'ftp://a.example/a.jpg', 'http://', 'data:image/png;base64,AA'])(
  '%j is no address to ask for',
  (text) => expect(imageAddress(text)).toBeUndefined(),
);

test('a shown address has neither credentials nor the values of its query', () => {
  expect(shownAddress('https://user:pw@a.example/dir/a.jpg?sig=secret#x')).toBe(
    'https://a.example/dir/a.jpg?…',
  );
  expect(shownAddress(`https://a.example/${'x'.repeat(500)}`).length).toBeLessThan(210);
});
