import type { IncomingMessage } from 'node:http';
import { type HttpServer, type RawAnswer, serve } from '../../http/index.ts';
import { ConfigError } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import type { FleetRole } from './api.ts';
import { readFigures } from './figures.ts';
import { createFleetGate, type FleetTokens } from './gate.ts';
import { METRICS_TYPE, metricsText } from './metrics.ts';
import type { FleetRouteOptions } from './route-options.ts';
import { fleetRoutes } from './routes.ts';

export interface FleetServerOptions extends Omit<FleetRouteOptions, 'roleOf'> {
  readonly tokens: FleetTokens;
  /** Address to listen on. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The address that people open, if a proxy is in front. */
  readonly publicUrl?: string | undefined;
  readonly version: string;
  /** Hides secrets in the message of a bug. */
  readonly mask: (text: string) => string;
}

/** Characters of a token below which it could be guessed. */
const LEAST_TOKEN = 16;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Serves the page and the API of a fleet. Throws ConfigError for tokens that are no protection, and a port in use. */
export async function startFleetServer(options: FleetServerOptions): Promise<HttpServer> {
  const { sql, tokens, host, port, publicUrl, version, onBug, mask } = options;
  refuseWeakTokens(tokens);
  const hasTokens = tokens.viewer !== undefined || tokens.operator !== undefined;
  if (!hasTokens && !LOOPBACK.test(host))
    throw new ConfigError(`Without tokens, the page is served on this machine only, not on ${host}.`, [
      'Set a token with --operator-token env:NAME, and one for those who only look with --viewer-token env:NAME.',
    ]);
  if (!hasTokens && publicUrl !== undefined)
    throw new ConfigError('A public address needs tokens: others would open the page without one.', [
      'Set a token with --operator-token env:NAME.',
    ]);
  const roles = new WeakMap<IncomingMessage, FleetRole>();
  return serve({
    ...{ command: 'storeport fleet serve', page: 'fleet.html', host, port, onBug, mask },
    gate: createFleetGate({
      tokens,
      publicUrl,
      version,
      onAdmitted: (request, role) => roles.set(request, role),
    }),
    routes: fleetRoutes({ ...options, roleOf: ({ incoming }) => roles.get(incoming) }),
    others: {
      '/metrics': async () => ({
        headers: { 'Content-Type': METRICS_TYPE },
        body: metricsText(await readFigures(sql)),
      }),
      '/healthz': () => health(sql),
    },
  });
}

/** Says only whether the database answers, since everybody may ask. */
async function health(sql: Sql): Promise<RawAnswer> {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  try {
    await sql.query('select 1 as one');
    return { headers, body: 'ok\n' };
  } catch {
    return { status: 503, headers, body: 'The database does not answer.\n' };
  }
}

function refuseWeakTokens({ viewer, operator }: FleetTokens): void {
  for (const [role, token] of Object.entries({ viewer, operator })) {
    if (token === undefined) continue;
    if (token.length < LEAST_TOKEN)
      throw new ConfigError(
        `The token of the ${role} has ${token.length} characters, so it could be guessed: it needs ${LEAST_TOKEN}.`,
        ['Make one, for example with: openssl rand -hex 32'],
      );
    if (/\s/.test(token)) throw new ConfigError(`The token of the ${role} has a blank inside.`);
  }
  if (viewer !== undefined && viewer === operator)
    throw new ConfigError('Viewer and operator have the same token, so everybody would be an operator.', [
      'Make two tokens.',
    ]);
}
