import { BlockList, isIP } from 'node:net';
import { ConfigError } from '../../model/index.ts';
import { isHere } from '../base-url.ts';

/** A proxy that the environment names. */
export interface ProxyServer {
  /** Scheme, host and port: the part that may be shown. */
  readonly origin: string;
  /** Value of `proxy-authorization`, if its address has a user name. */
  readonly authorization?: string;
  /** The environment variable that names it. */
  readonly variable: string;
  /** Texts to mask. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the proxy on the way to a store as curl and others do: `https_proxy` for https, `http_proxy` for http, none for
 * hosts that `no_proxy` names; in lower case or, if that is not set, in upper case. There is none for this machine,
 * where the sandbox runs. Throws ConfigError if the address is not usable. The error does not repeat it, since it may
 * contain a password.
 */
export function proxyFor(baseUrl: string, environment: Environment): ProxyServer | undefined {
  const { protocol, hostname, port } = new URL(baseUrl);
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const address = setting(environment, name);
  if (address === undefined || isHere(hostname)) return undefined;
  const isExempt = exemptions(setting(environment, 'no_proxy') ?? '');
  if (isExempt(hostname, port || (protocol === 'https:' ? '443' : '80'))) return undefined;
  return proxyAt(address, environment[name] ? name : name.toUpperCase());
}

function setting(environment: Environment, name: string): string | undefined {
  return (environment[name] || environment[name.toUpperCase()])?.trim() || undefined;
}

function proxyAt(address: string, variable: string): ProxyServer {
  const text = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new ConfigError(`The proxy in ${variable} is not one that can be used.`, [
      'Its address looks like http://proxy.example.com:3128, or https://…; SOCKS is not supported.',
    ]);
  if (url.username === '') return { origin: url.origin, variable, secrets: [] };
  const user = decoded(url.username, variable);
  const password = decoded(url.password, variable);
  const pair = `${user}:${password}`;
  return {
    origin: url.origin,
    variable,
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    // Also as written in the address, which may be encoded in a way of its own.
    secrets: [password, url.password, pair, Buffer.from(pair).toString('base64')].filter(Boolean),
  };
}

function decoded(text: string, variable: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError(
      `The user name or password of the proxy in ${variable} has a % that encodes nothing.`,
      ['A % in it is written as %25.'],
    );
  }
}

/**
 * `example.com`, `.example.com` and `*.example.com` match a host and all below it. A port may follow; blocks such as
 * `10.0.0.0/8` match too.
 */
function exemptions(list: string): (hostname: string, port: string) => boolean {
  const entries = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return (hostname, port) => entries.some((entry) => covers(entry, bare(hostname), port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInBlock(entry, host);
  const [, name = entry, only] = isIP(entry) ? [] : (/^(.+?)(?::(\d+))?$/.exec(entry) ?? []);
  if (only !== undefined && only !== port) return false;
  const domain = bare(name.replace(/^\*?\./, ''));
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

function isInBlock(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const family = isIP(host);
  const [most, type] = family === 4 ? ([32, 'ipv4'] as const) : ([128, 'ipv6'] as const);
  if (family === 0 || isIP(network) !== family || !/^\d+$/.test(bits) || Number(bits) > most) return false;
  const block = new BlockList();
  block.addSubnet(network, Number(bits), type);
  return block.check(host, type);
}

/** An IPv6 address without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
