import { type LookupAddress, type LookupOptions, lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isHere } from '../base-url.ts';
import { withCode } from './connections.ts';

/** Decides which hosts a client connects to, for addresses that come from data. */
export interface AddressGuard {
  /** True for a host that needs no look-up to be refused. Nothing may be sent to it, nor through a proxy. */
  refuses(hostname: string): boolean;
  /** Look-up of the connector. It yields allowed addresses only, so the address that was checked is connected to. */
  readonly lookup?: LookupFunction | undefined;
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** The code of a connection that was refused, since its host has no public address. */
export const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS';

export const ANY_ADDRESS: AddressGuard = { refuses: () => false };

/** Allows the public internet only. A proxy looks names up itself, and has to refuse those of its network. */
export function publicAddresses(
  resolve: Resolve = resolveName,
  isAllowed: (address: string) => boolean = isPublicAddress,
): AddressGuard {
  return {
    refuses(hostname) {
      const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
      return isIP(host) === 0 ? isHere(host) : !isAllowed(host);
    },
    lookup(hostname, options, done) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        const [first, ...others] = error ? [] : found.filter(({ address }) => isAllowed(address));
        if (error) done(error, []);
        else if (first === undefined)
          done(withCode(PRIVATE_ADDRESS, `${hostname} has no public address`), []);
        else if (options.all) done(null, [first, ...others]);
        else done(null, first.address, first.family);
      });
    },
  };
}

/** Networks of version 4 that are not the public internet, by the registry of IANA. */
const SPECIAL = networks('ipv4', [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Azure answers its virtual machines here, with their secrets.
  '168.63.129.16/32',
]);

/** Everything else of version 6 is local, multicast, or unused. */
const GLOBAL = networks('ipv6', ['2000::/3']);

/** Teredo and others, documentation, 6to4, which hides an address of version 4, and documentation again. */
const SPECIAL_6 = networks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** An address of version 4 that is mapped, or translated by NAT64, as URL writes it. */
const EMBEDDED = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** True for an address of the public internet, in any spelling. False for a text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 4) return !SPECIAL.check(plain, 'ipv4');
  if (family === 0) return false;
  const embedded = EMBEDDED.exec(new URL(`http://[${plain}]`).hostname);
  if (embedded) {
    const bytes = embedded.slice(1).map((group) => Number.parseInt(group, 16));
    return !SPECIAL.check(bytes.flatMap((two) => [two >> 8, two & 255]).join('.'), 'ipv4');
  }
  return GLOBAL.check(plain, 'ipv6') && !SPECIAL_6.check(plain, 'ipv6');
}

function networks(family: 'ipv4' | 'ipv6', blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', bits] = block.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
