import { ConfigError } from '../model/index.ts';
import type { ProxyServer } from '../store/index.ts';
import { ENV_FILE, originOfVariable } from './origins.ts';

/** Throws ConfigError if Node is set not to check certificates: anybody in between could then read the secret. */
export function refuseUncheckedTls(addresses: readonly (string | undefined)[]): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  if (!addresses.some((address) => address?.startsWith('https:'))) return;
  throw new ConfigError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off, so anybody in between could read the client secret. Nothing was sent.',
    [
      'Remove the variable: unset NODE_TLS_REJECT_UNAUTHORIZED',
      'If an authority of your own signed the certificate, name its certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ],
  );
}

/** Throws ConfigError if `.env` names a proxy that could read the secret. Called for secrets from outside the folder. */
export function refuseProxyOfFolder({ origin, variable }: ProxyServer, baseUrl: string): void {
  if (baseUrl.startsWith('https:') || originOfVariable(variable) !== ENV_FILE) return;
  throw new ConfigError(
    `${variable} comes from ${ENV_FILE} in this folder: the proxy ${origin} could read the client secret on its way to ${baseUrl}, which is plain http. Nothing was sent.`,
    [`Use https for the store, or set ${variable} in the environment.`],
  );
}
