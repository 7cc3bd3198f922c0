import { existsSync, resolve } from '../model/files/fs.ts';
import { againHint, ConfigError, type JsonObject, milliseconds } from '../model/index.ts';
import {
  type ArgumentsOf,
  argumentsOf,
  camelCase,
  IMAGE_OPTIONS,
  READ_OPTIONS,
  runOptionsOf,
  SEND_OPTIONS,
  STORE_OPTIONS,
} from '../options/index.ts';
import type { ImportOptions, NamedStore, ShownRecord, StoreTarget } from '../pipeline/index.ts';
import type { Summary } from '../report/index.ts';
import type { Resource } from '../resources/index.ts';
import { printSummary } from './command-log.ts';
import { type CommandContext, type CommonArguments, version, whenInterrupted } from './context.ts';
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts';
import { type ApiArguments, resourceFor, resourcesFor } from './options/api.ts';
import { countryIn } from './options/country.ts';
import { type StoreArguments, storeAddress } from './options/settings.ts';
import { withSuggestion } from './options/unknown-file.ts';
import { type ConnectArguments, type Connection, connectToStore, withPauses } from './store.ts';
import { watchImport } from './watch-import.ts';

/** The values of `READ_OPTIONS`, and the places in which the profile and the files are named. */
export interface ReadArguments extends ApiArguments, ArgumentsOf<typeof READ_OPTIONS> {
  readonly resource: string;
  readonly files: readonly string[];
  /** Deadline of a request, for an image or to the store. */
  readonly timeout: string;
}

export interface ImportArguments extends ReadArguments, ConnectArguments {
  readonly profile?: string | undefined;
  readonly sandbox: boolean;
  readonly home: string;
  readonly dryRun: boolean;
  readonly canary?: number | undefined;
  readonly yes: boolean;
}

/** Connects to the store, runs `execute`, and prints its summary. `execute` resolves with undefined if there was nothing to do. */
export async function runWithStore(
  args: ImportArguments,
  context: CommandContext,
  execute: (options: ImportOptions, connect: () => Promise<StoreTarget>) => Promise<Summary | undefined>,
): Promise<number> {
  if (!context.watch?.ask) refuseCanaryWithoutTerminal(args, context.terminal);
  if (args.show !== undefined)
    throw new ConfigError('--show prints records that are not sent, and this command sends them.', [
      'Add --dry-run.',
      ...againHint({ 'dry-run': true }),
    ]);
  const resources = await resourcesFor(args, context);
  const interrupted = context.onInterrupt(() => watch.leave(args.sandbox));
  const watch = watchImport(context, interrupted, args.yes);
  let connection: Connection | undefined;
  try {
    const options = {
      ...(await importOptions(args, resources, context)),
      canary: args.canary,
      interrupted,
      watch: watch.watcher,
    };
    const connectStore = async () => {
      connection = await connectToStore(args, context, resources);
      const { baseUrl: store, ephemeral, storeId, client, concurrency } = connection;
      const held = withPauses(client, context.watch?.pause);
      watch.connected(held);
      // Stops waiting for an unavailable store at once. Requests in flight may still be answered.
      whenInterrupted(interrupted, () => void client.close(milliseconds(args.timeout)));
      return { store, ephemeral, storeId, client: held, concurrency };
    };
    const summary = await withSuggestion(() => execute(options, connectStore), options);
    watch.stop();
    return summary ? await printSummary(summary, context) : EXIT_CODES.done.code;
  } finally {
    watch.stop();
    await connection?.close();
  }
}

/** Runs `validate` and `import --dry-run`. No store is contacted. */
export async function runDry(
  args: ReadArguments & CommonArguments,
  context: CommandContext,
): Promise<number> {
  const { runValidate } = await import('../pipeline/index.ts');
  const resources = await resourcesFor(args, context);
  const interrupted = context.onInterrupt(() => watch.leave());
  const watch = watchImport(context, interrupted);
  try {
    const options = await importOptions(args, resources, context);
    let shown: readonly ShownRecord[] = [];
    const store = await namedStore(args, context);
    const summary = await withSuggestion(
      () =>
        runValidate(
          {
            ...options,
            interrupted,
            watch: {
              ...watch.watcher,
              shown: (records) => {
                shown = records;
              },
            },
          },
          store,
        ),
      options,
    );
    watch.stop();
    return await printSummary(summary, context, shown);
  } finally {
    watch.stop();
  }
}

/** The store that the settings name, if they name one, with the rate that an earlier command learned. */
export async function namedStore(
  args: ApiArguments & StoreArguments & Pick<CommonArguments, 'home'>,
  context: Pick<CommandContext, 'environment'>,
): Promise<NamedStore | undefined> {
  if (args.sandbox) return undefined;
  // A check does not need the store: without a valid address it only skips what is known of that store.
  const address = await storeAddress(args, context.environment).catch(() => undefined);
  if (address === undefined) return undefined;
  const { readLearnedRate, recalledRate } = await import('../store/index.ts');
  const learned = readLearnedRate(args.home, address);
  return { address, rate: learned && (recalledRate(learned) ?? learned.rate) };
}

/** Throws ConfigError if there is no terminal to ask on after the canary. */
function refuseCanaryWithoutTerminal(
  { canary, yes }: ImportArguments,
  { questions }: CommandContext['terminal'],
): void {
  if (canary !== undefined && !yes && !questions)
    throw new ConfigError('--canary asks before the rest is sent, and there is no terminal to ask on.', [
      'Add --yes to continue without asking, or send the first records alone with --limit.',
      ...againHint({ yes: true }),
    ]);
}

/** Converts arguments to the options of an import. Throws ConfigError for a resource that cannot be imported. */
export async function importOptions(
  args: ReadArguments & Pick<CommonArguments, 'home'>,
  resources: readonly Resource[],
  context: CommandContext,
) {
  const { commandFiles, environment, io } = context;
  const country = await countryIn(args, context);
  return {
    ...runOptionsOf({ ...args, country }, { environment, timeoutMs: milliseconds(args.timeout) }),
    resource: await resourceFor(args.resource, resources, 'import'),
    files: args.files,
    stdin: () => io.stdin,
    home: args.home,
    out: args.out === undefined ? undefined : resolve(args.out),
    commandFiles,
    version: version(),
    toRepeat: toRepeat({ ...args, country }),
    exitCodeOf,
  };
}

/** Returns the options to store with the run. Paths are absolute, since a run may be resumed from another folder. */
function toRepeat(args: ReadArguments): JsonObject {
  const { mapping, allowLookup, ...rest } = argumentsOf(
    { ...READ_OPTIONS, ...SEND_OPTIONS, ...STORE_OPTIONS },
    args,
  );
  const ofImages = args.checkImages ? [] : Object.keys(IMAGE_OPTIONS).map(camelCase);
  return {
    ...(Object.fromEntries(Object.entries(rest).filter(([name]) => !ofImages.includes(name))) as JsonObject),
    ...(allowLookup === undefined ? {} : { allowLookup: allowLookup.map((folder) => resolve(folder)) }),
    ...(mapping === undefined ? {} : { mapping: existsSync(mapping) ? resolve(mapping) : mapping }),
  };
}
