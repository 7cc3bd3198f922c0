import { existsSync, resolve } from '../model/files/fs.ts';
import { againHint, ConfigError, type JsonObject } from '../model/index.ts';
import type {
  FormatOptions,
  ImportOptions,
  NamedStore,
  ShownRecord,
  StoreTarget,
} from '../pipeline/index.ts';
import type { Mode } from '../plan/index.ts';
import type { Summary } from '../report/index.ts';
import type { Resource } from '../resources/index.ts';
import { printSummary } from './command-log.ts';
import { type CommandContext, type CommonArguments, version, whenInterrupted } from './context.ts';
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts';
import { type ApiArguments, resourceFor, resourcesFor } from './options/api.ts';
import { camelCase } from './options/arguments.ts';
import { type CountryArguments, countryIn } from './options/country.ts';
import { formatOptionsIn } from './options/format-options.ts';
import { IMAGE_OPTIONS, type ImageArguments, imageCheckIn } from './options/image-options.ts';
import { constants, maxErrorsIn, milliseconds } from './options/option-values.ts';
import { READ_OPTIONS, SEND_OPTIONS, STORE_OPTIONS } from './options/options.ts';
import { type ReportArguments, reportFormatIn } from './options/report-format.ts';
import { type StoreArguments, storeAddress } from './options/settings.ts';
import { withSuggestion } from './options/unknown-file.ts';
import { type ConnectArguments, type Connection, connectToStore, withPauses } from './store.ts';
import { watchImport } from './watch-import.ts';

export interface ReadArguments
  extends ApiArguments,
    CountryArguments,
    FormatOptions,
    ReportArguments,
    ImageArguments {
  readonly resource: string;
  readonly files: readonly string[];
  readonly mapping?: string | undefined;
  readonly mode: Mode;
  readonly limit?: number | undefined;
  readonly show?: number | undefined;
  readonly offset: number;
  readonly out?: string | undefined;
  readonly set: readonly string[];
  readonly imageBase?: string | undefined;
  /** Undefined in runs of earlier versions. */
  readonly allowLookup?: readonly string[];
  readonly maskContacts: boolean;
  readonly maxErrors?: string | undefined;
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
    resource: await resourceFor(args.resource, resources, 'import'),
    files: args.files,
    stdin: () => io.stdin,
    mapping: args.mapping,
    mode: args.mode,
    constants: constants(args.set),
    imageBase: args.imageBase,
    country,
    checkImages: imageCheckIn(args, environment),
    lookupFolders: args.allowLookup,
    read: formatOptionsIn(args),
    home: args.home,
    offset: args.offset,
    limit: args.limit,
    show: args.show,
    maskContacts: args.maskContacts,
    maxErrors: args.maxErrors === undefined ? undefined : maxErrorsIn(args.maxErrors),
    out: args.out === undefined ? undefined : resolve(args.out),
    reportFormat: reportFormatIn(args),
    commandFiles,
    version: version(),
    toRepeat: toRepeat({ ...args, country }),
    exitCodeOf,
  };
}

/** Returns the options to store with the run. Paths are absolute, since a run may be resumed from another folder. */
function toRepeat(args: ReadArguments): JsonObject {
  const options = Object.keys({ ...READ_OPTIONS, ...SEND_OPTIONS, ...STORE_OPTIONS });
  const names = options.filter((name) => isUsed(name, args)).map(camelCase);
  const given = Object.entries(args).filter(([name, value]) => names.includes(name) && value !== undefined);
  const { mapping, allowLookup, ...rest } = Object.fromEntries(given) as JsonObject;
  const others = {
    ...rest,
    ...(Array.isArray(allowLookup) && { allowLookup: allowLookup.map((folder) => resolve(String(folder))) }),
  };
  if (typeof mapping !== 'string') return others;
  return { ...others, mapping: existsSync(mapping) ? resolve(mapping) : mapping };
}

/** False for an option of the check of images if there is none. */
function isUsed(option: string, { checkImages }: ReadArguments): boolean {
  return checkImages === true || !(option in IMAGE_OPTIONS);
}
