import { describe, expect, test } from 'vitest';
import { faultOfMail } from '../../../src/model/index.ts';

describe('faultOfMail', () => {
  test.each([
    ['bob@example.com.', 'it ends with a dot'],
    ['bob@example..com', 'a part is missing between the @ and a dot, or between two dots'],
    ['bob@.example.com', 'a part is missing between the @ and a dot, or between two dots'],
    ['bob@example', 'its domain has no ending, such as .com'],
    ['bob@localhost', 'its domain has no ending, such as .com'],
    ['bob@example.com;', 'its domain has a character that no domain has'],
    ['bob@example,com', 'its domain has no ending, such as .com'],
    ['bob@http://example.com', 'its domain has a character that no domain has'],
    ['bob@-example.com', 'a part of its domain begins or ends with a hyphen'],
    ['bob@example.c', 'its domain ends in a single letter or a number'],
    ['bob@192.0.2.1', 'its domain ends in a single letter or a number'],
  ])('explains %s', (address, fault) => {
    expect(faultOfMail(address)).toContain(fault);
  });

  test.each([
    'mailto:bob@example.com',
    'Bob <bob@example.com>',
    'a@example.com,b@example.com',
    'a,b@example.com',
    'bob(home)@example.com',
    'bob@exa mple.com',
    'bob@example.com\u200b',
    'bob example.com',
    '@example.com',
    'bob@',
    '',
  ])('asks for one @ without brackets, blanks and the like in %j', (address) => {
    expect(faultOfMail(address)).toMatch(/^it needs one @/);
  });

  test.each([
    'bob+shop@example.co.uk',
    'bob..b.@docomo.example',
    "o'neil@x--y.example",
    '"bob @ home"@example.com',
    '"a\\"b"@example.com',
    'größe@müller.example',
    'bob@xn--mller-kva.xn--p1ai',
    'боб@пример.рф',
    '用户@例子.广告',
    'bob@mail_1.example.com',
    'bob@i❤.ws',
    'bob@[192.0.2.1]',
    'bob@[IPv6:2001:db8::1]',
    'B@EXAMPLE.COM',
    '1@2.example',
  ])('has nothing to say about %s', (address) => {
    expect(faultOfMail(address)).toBeUndefined();
  });

  test('answers at once for a long text of any kind', () => {
    for (const part of ['a', 'a.', 'a-', '"', '\\', '@', ' '])
      for (const text of [part.repeat(100_000), `a@${part.repeat(100_000)}`, `a@${part.repeat(100_000)}!`])
        expect(faultOfMail(text)).toBeTypeOf('string');
  });
});
