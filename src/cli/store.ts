import { ConfigError, milliseconds, seconds } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import type { LearnedRate, ProxyServer, StoreClient, WaitInfo } from '../store/index.ts';
import type { CommandWatch } from '../ui/index.ts';
import { type CommandContext, version, warn } from './context.ts';
import type { Environment } from './io.ts';
import { ENV_FILE, originOfVariable } from './options/origins.ts';
import { profileOf, type StoreArguments, type StoreSettings, storeSettings } from './options/settings.ts';

export interface ConnectArguments extends StoreArguments {
  readonly home: string;
  readonly sandbox: boolean;
  readonly rate?: number | undefined;
  readonly concurrency: number;
  readonly timeout: string;
  readonly giveUpAfter: string;
  readonly inDoubt?: string | undefined;
}

/** Connection of a command to its store. */
export interface Connection {
  readonly baseUrl: string;
  /** True for a sandbox that ends with the command. */
  readonly ephemeral: boolean;
  readonly storeId?: string;
  readonly client: StoreClient;
  readonly concurrency: number;
  close(): Promise<void>;
}

/** Number of reviews, checkouts and images in the sandbox of one command. */
const SANDBOX_SEED = 120;

/**
 * Creates the client for the store in the settings, or for a sandbox that ends with the command. Prints the effective
 * address and sends nothing yet. Throws ConfigError if the settings are incomplete or unsafe.
 *
 * `resources`: adjusted to this store. After an outage the client probes their list of products, if there is one.
 */
export async function connectToStore(
  args: ConnectArguments,
  context: CommandContext,
  resources: readonly Resource[] = [],
): Promise<Connection> {
  const sandbox = args.sandbox ? await openSandbox() : undefined;
  const settings = sandbox?.settings ?? (await storeSettings(args, context.environment, context.terminal));
  return connectTo(settings, args, context, { resources, sandbox });
}

/** Creates the client for these settings, see `connectToStore`. `sandbox`: closed with the connection. */
export async function connectTo(
  settings: StoreSettings,
  args: ConnectArguments,
  context: CommandContext,
  {
    resources = [],
    sandbox,
  }: {
    readonly resources?: readonly Resource[];
    readonly sandbox?: { close(): Promise<void> } | undefined;
  } = {},
): Promise<Connection> {
  const { terminal, log } = context;
  const concurrency = args.concurrency;
  log.facts?.enter('connect');
  const profile = profileOf(args, context.environment);
  log.about({ store: settings.baseUrl, ...(profile === undefined ? {} : { profile }) });
  const { createRememberedClient, proxyFor, rateFile } = await import('../store/index.ts');
  const proxy = proxyFor(settings.baseUrl, context.environment);
  terminal.hide(...(proxy?.secrets ?? []));
  refuseUncheckedTls([settings.baseUrl, proxy?.origin], context.io.env);
  if (proxy && !settings.from?.isSecretOfFolder)
    refuseProxyOfFolder(proxy, settings.baseUrl, context.environment);
  const through = proxy ? `, through the proxy ${proxy.origin}` : '';
  terminal.note(
    `Store: ${settings.baseUrl} (${sandbox ? 'a sandbox that ends with this command' : `from ${settings.from?.address}`})${through}`,
  );

  const client = createRememberedClient(sandbox ? undefined : args.home, {
    ...settings,
    proxy,
    concurrency,
    timeoutMs: milliseconds(args.timeout),
    giveUpAfterMs: milliseconds(args.giveUpAfter),
    rate: args.rate,
    inDoubt: args.inDoubt === 'resend' ? 'resend' : 'hold',
    userAgent: `storeport/${version()}`,
    ownsProcess: true,
    log,
    mask: terminal.mask,
    probePath: probePath(resources),
    onHeldBack(recalled) {
      const line = slowStartLine(recalled, rateFile(args.home, settings.baseUrl));
      terminal.note(line);
      log.info({}, line);
    },
    onManyDoubts: ({ bad, ends }) =>
      warn(
        context,
        `${bad} of the last ${ends} new records were sent without a usable answer. Sending one at a time until most are answered.`,
      ),
    onWait(wait) {
      log.facts?.note(wait ? `waiting for the store: it ${wait.reason}` : 'the store answers again');
      terminal.note(wait ? waitLine(wait) : 'The store answers again; continuing.');
    },
  });
  return {
    baseUrl: settings.baseUrl,
    ephemeral: sandbox !== undefined,
    ...(settings.storeId === undefined ? {} : { storeId: settings.storeId }),
    client,
    concurrency,
    async close() {
      await client.close();
      await sandbox?.close();
    },
  };
}

/** Holds requests back while a pause is in force. Those in flight may be answered. */
export function withPauses(client: StoreClient, pause: CommandWatch['pause']): StoreClient {
  if (!pause) return client;
  return {
    ...client,
    async deliver(...args) {
      await pause()?.end;
      return client.deliver(...args);
    },
    waiting() {
      const paused = pause();
      return paused ? { what: 'you: it is paused', forMs: paused.forMs } : client.waiting();
    },
  };
}

function probePath(resources: readonly Resource[]): string | undefined {
  const path = resources.find(({ name }) => name === 'products')?.list?.path;
  return path && `${path}${path.includes('?') ? '&' : '?'}limit=1`;
}

/** Starts the sandbox of one command. */
export async function openSandbox() {
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox({ seed: SANDBOX_SEED, journal: false });
  const { url: baseUrl, clientId, clientSecret, storeId } = sandbox;
  return { settings: { baseUrl, clientId, clientSecret, storeId }, close: () => sandbox.close() };
}

/** `The store took only 5 requests a second 3h 00m ago. …` */
function slowStartLine({ rate, ageMs }: LearnedRate, file: string): string {
  const when = `${seconds(ageMs / 1000)} ago`;
  return (
    `The store took only ${Number(rate.toPrecision(2))} requests a second ${when}, so this command begins slowly and ` +
    `tries more with each answer. To begin as with a new store, delete ${file}.`
  );
}

/** Converts `until` from the monotonic clock to the wall clock for display. */
function waitLine({ reason, until }: WaitInfo): string {
  const end = until === undefined ? undefined : new Date(Date.now() + until - performance.now());
  return `Waiting for the store: it ${reason}${end ? `; giving up at ${end.toLocaleTimeString()}` : ''}.`;
}

/** Throws ConfigError if Node does not check certificates: anybody on the network path could then read the secret. */
export function refuseUncheckedTls(addresses: readonly (string | undefined)[], env: Environment): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  if (!addresses.some((address) => address?.startsWith('https:'))) return;
  throw new ConfigError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off, so anybody in between could read the client secret. Nothing was sent.',
    [
      `Remove the variable: ${process.platform === 'win32' ? 'Remove-Item Env:' : 'unset '}NODE_TLS_REJECT_UNAUTHORIZED`,
      'If an authority of your own signed the certificate, name its certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ],
  );
}

/** Throws ConfigError if `.env` names a proxy that could read a secret from outside the folder. */
export function refuseProxyOfFolder(
  { origin, variable }: ProxyServer,
  baseUrl: string,
  environment: Environment,
): void {
  if (baseUrl.startsWith('https:') || originOfVariable(variable, environment) !== ENV_FILE) return;
  throw new ConfigError(
    `${variable} comes from ${ENV_FILE} in this folder: the proxy ${origin} could read the client secret on its way to ${baseUrl}, which is plain http. Nothing was sent.`,
    [`Use https for the store, or set ${variable} in the environment.`],
  );
}
