import type { LookupAddress, LookupOptions } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { isPublicAddress, PRIVATE_ADDRESS, publicAddresses } from '../../../src/store/http/address-guard.ts';

/** Addresses at both ends of each network that is refused. */
const PRIVATE = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.254', '169.254.0.0', '169.254.169.254', '172.16.0.0', '172.31.255.255'],
  ...['192.0.0.192', '192.0.2.7', '192.88.99.1', '192.168.0.0', '192.168.255.255', '198.18.0.0'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '0:0:0:0:0:0:0:1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.1.2.3'],
  ...['0:0:0:0:0:ffff:a9fe:a9fe', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::a00:1'],
  ...['64:ff9b::1', '64:ff9b:1::8.8.8.8', '100::1', '2001::1', '2001:0:7f00:1::', '2001:db8::1'],
  ...['2002:7f00:1::', '3fff::1', '4000::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0'],
  ...['febf::1', 'fec0::1', 'ff02::1'],
];

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
  ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '168.63.129.15'],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
];

test.each(PRIVATE)('%s is not an address of the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(PUBLIC)('%s is an address of the internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(['', 'example.com', '1.2.3', '2130706433', '[::1]'])(
  '"%s" is not an IP address, so it is not one of the internet',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

/** Hosts as a URL has them, whatever the spelling. */
test.each([
  ...[
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '0',
    '0.0.0.0',
  ],
  ...['①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]'],
  ...['[0:0:0:0:0:ffff:7f00:1]', '[fd12::1]', 'localhost', 'LOCALHOST', 'localhost.', 'shop.localhost'],
  '127.0.0.1.',
])('the host %s is refused without a look-up', (host) => {
  expect(publicAddresses().refuses(new URL(`http://${host}/`).hostname)).toBe(true);
});

test.each(['example.com', '8.8.8.8', '[2606:4700:4700::1111]', 'localhost.example.com'])(
  'the host %s is not refused without a look-up',
  (host) => {
    expect(publicAddresses().refuses(new URL(`http://${host}/`).hostname)).toBe(false);
  },
);

describe('a look-up', () => {
  const v4 = (address: string): LookupAddress => ({ address, family: 4 });

  /** Looks a name up that has these addresses. */
  function lookUp(found: readonly LookupAddress[] | Error, options: LookupOptions = { all: true }) {
    const { lookup } = publicAddresses((_, __, done) =>
      found instanceof Error ? done(found, []) : done(null, [...found]),
    );
    return new Promise((resolve, reject) => {
      lookup?.('shop.example', options, (error, ...result) => (error ? reject(error) : resolve(result)));
    });
  }

  test('yields the public addresses of a name and no others', async () => {
    const found = [v4('10.0.0.1'), v4('8.8.8.8'), { address: '::1', family: 6 }, v4('1.1.1.1')];
    expect(await lookUp(found)).toEqual([[v4('8.8.8.8'), v4('1.1.1.1')]]);
  });

  test('yields the first public address to a caller that wants one', async () => {
    expect(await lookUp([v4('10.0.0.1'), v4('8.8.8.8'), v4('1.1.1.1')], {})).toEqual(['8.8.8.8', 4]);
  });

  test.each([[[v4('127.0.0.1')]], [[v4('10.0.0.1'), { address: 'fd00::1', family: 6 }]], [[]]])(
    'fails if a name has private addresses only: %j',
    async (found) => {
      for (const options of [{ all: true }, {}])
        await expect(lookUp(found, options)).rejects.toMatchObject({ code: PRIVATE_ADDRESS });
    },
  );

  test('fails as the resolver does', async () => {
    const unknown = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    await expect(lookUp(unknown)).rejects.toBe(unknown);
  });
});
