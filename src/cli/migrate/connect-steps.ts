import { milliseconds } from '../../model/index.ts';
import type { NamedStore, StoreTarget } from '../../pipeline/index.ts';
import type { Resource } from '../../resources/index.ts';
import { type CommandContext, whenInterrupted } from '../context.ts';
import { storeSettings } from '../options/settings.ts';
import { namedStore } from '../run-import.ts';
import { type ConnectArguments, type Connection, connectTo, openSandbox } from '../store.ts';

/** The store of a migration. Its steps share connections. */
export interface MigrationStore {
  readonly named: NamedStore;
  /** Connects, if no step before had the same `--in-doubt`. */
  target(inDoubt: string | undefined): Promise<StoreTarget>;
  close(): Promise<void>;
}

/** Opens the store of a migration, or its sandbox, and sends nothing yet. Throws ConfigError. `home`: of the ledger. */
export async function openMigrationStore(
  args: ConnectArguments,
  context: CommandContext,
  {
    resources,
    home,
    interrupted,
    connected,
  }: {
    readonly resources: readonly Resource[];
    readonly home: string;
    readonly interrupted: AbortSignal;
    readonly connected: (client: Connection['client']) => void;
  },
): Promise<MigrationStore> {
  const sandbox = args.sandbox ? await openSandbox() : undefined;
  const settings = sandbox?.settings ?? (await storeSettings(args, context.environment, context.terminal));
  const known = await namedStore({ ...args, home }, context);
  const connections = new Map<string, Connection>();
  return {
    named: { address: settings.baseUrl, rate: known?.rate },
    async target(inDoubt = 'hold') {
      const connection =
        connections.get(inDoubt) ??
        (await connectTo(settings, { ...args, home, inDoubt }, context, {
          resources,
          sandbox: sandbox && { close: async () => {} },
        }));
      if (!connections.has(inDoubt)) {
        connections.set(inDoubt, connection);
        // Stops waiting for an unavailable store at once. Requests in flight may still be answered.
        whenInterrupted(interrupted, () => void connection.client.close(milliseconds(args.timeout)));
      }
      connected(connection.client);
      const { baseUrl: store, storeId, client, concurrency } = connection;
      return { store, ephemeral: false, storeId, client, concurrency };
    },
    async close() {
      for (const connection of connections.values()) await connection.close();
      await sandbox?.close();
    },
  };
}
