import { createHash } from 'node:crypto';
import { resolve } from '../../model/files/fs.ts';
import { againHint, ConfigError, fileCommand, grouped } from '../../model/index.ts';
import { COMMON_OPTIONS, MONITOR_OPTIONS, STORE_OPTIONS } from '../../options/index.ts';
import type { MigrationOptions, MigrationToUndo } from '../../pipeline/index.ts';
import type { MigrationSummary } from '../../report/index.ts';
import { logSummary } from '../command-log.ts';
import { type CommandContext, type CommonArguments, version } from '../context.ts';
import { EXIT_CODES, exitCodeOf } from '../exit-codes.ts';
import { openMigrationStore } from '../migrate/connect-steps.ts';
import { ALL_STEPS_OPTIONS, STEP_DEFAULTS } from '../migrate/plan-options.ts';
import { resourcesFor } from '../options/api.ts';
import { paintSummary } from '../output/colour.ts';
import { type ImportArguments, importOptions, namedStore } from '../run-import.ts';
import { temporaryHome } from '../temporary-home.ts';
import { watchImport } from '../watch-import.ts';
import type { Command } from './command.ts';

interface MigrateArguments extends ImportArguments, CommonArguments {
  readonly plan?: string | undefined;
  readonly undo: boolean;
  readonly schema: boolean;
}

const OPTIONS = {
  'dry-run': {
    topic: 'sending',
    type: 'boolean',
    default: false,
    describe: 'Check all steps and send nothing',
  },
  undo: {
    topic: 'sending',
    type: 'boolean',
    default: false,
    describe: 'Undo what the plan has imported, as far as the API can; the counts are shown first',
  },
  yes: {
    topic: 'sending',
    type: 'boolean',
    default: false,
    describe: 'Do not ask: send the valid records, or undo',
    emptyIsNone: true,
  },
  schema: {
    topic: 'output',
    type: 'boolean',
    default: false,
    describe: 'Print a JSON Schema of plans, for editors',
  },
  ...ALL_STEPS_OPTIONS,
  out: {
    topic: 'output',
    describe: 'Folder of the reports (default: storeport-runs/<migration id>)',
    completes: 'folder',
    emptyIsNone: true,
  },
  ...STORE_OPTIONS,
  ...MONITOR_OPTIONS,
} as const;

export const migrateCommand: Command<MigrateArguments> = {
  usage: 'migrate [plan]',
  summary: 'Import several resources in the order of their references, by a plan',
  positionals: { plan: { describe: 'YAML file that lists the imports', completes: 'file' } },
  options: OPTIONS,
  mainOptions: [
    'dry-run',
    'yes',
    'undo',
    'schema',
    'out',
    'errors-as',
    'mask-contacts',
    'rate',
    'profile',
    'sandbox',
    'json',
  ],
  examples: [
    ['$0 migrate plan.yaml --dry-run', 'Check all files, and the references between them'],
    ['$0 migrate plan.yaml --sandbox', 'Try the whole migration out'],
    ['$0 migrate plan.yaml', 'Import what is new; continue if it was stopped'],
  ],
  async run(args, context) {
    const { terminal } = context;
    if (args.schema) {
      const { planSchema } = await import('../migrate/plan-schema.ts');
      terminal.out(JSON.stringify(planSchema(), null, 2));
      return EXIT_CODES.done.code;
    }
    if (args.plan === undefined)
      throw new ConfigError('<plan> is missing: storeport migrate <plan>', [
        'plan: a YAML file that lists the imports. Its form: storeport migrate --schema',
      ]);
    if (args.undo && args.sandbox)
      throw new ConfigError('A sandbox ends with its command, so there is nothing to undo in it.');
    if (!args.sandbox) return migrate(args, args.plan, args.home, context);
    const own = temporaryHome(context);
    try {
      return await migrate(args, args.plan, own.home, context);
    } finally {
      own.remove();
    }
  },
};

async function migrate(
  args: MigrateArguments,
  planFile: string,
  home: string,
  context: CommandContext,
): Promise<number> {
  const { terminal, log } = context;
  const { readPlan } = await import('../migrate/read-plan.ts');
  const { migrationText, stepLine, toUndoText } = await import('../migrate/migration-text.ts');
  const { runMigration, undoMigration } = await import('../../pipeline/index.ts');
  const plan = readPlan(planFile, Object.keys({ ...COMMON_OPTIONS, ...OPTIONS }));
  const resources = await resourcesFor(args, context);
  // At the same store, with the same home.
  const again = fileCommand('migrate', [plan.file]);
  const continueWith = `${again}${args.undo ? ' --undo' : ''}`;
  const interrupted = context.onInterrupt(() => watch.leave(args.sandbox));
  const newWatch = () => watchImport(context, interrupted, true, continueWith);
  let watch = newWatch();
  const steps: (MigrationOptions['steps'][number] & { readonly inDoubt: string | undefined })[] = [];
  for (const { resource, files, mapping, options: given } of plan.steps) {
    const own = { ...STEP_DEFAULTS, ...args, ...given, ...{ resource, files, mapping, home } };
    const stepArgs = { ...own, out: undefined, show: undefined } as typeof own & ImportArguments;
    const options = await importOptions(stepArgs, resources, context);
    steps.push({ inDoubt: stepArgs.inDoubt, options: { ...options, interrupted } });
  }
  const sends = args.undo || !args.dryRun;
  const store = sends
    ? await openMigrationStore(args, context, {
        ...{ resources, home, interrupted },
        connected: (client) => watch.connected(client),
      })
    : undefined;
  try {
    const options: MigrationOptions = {
      plan: { ...plan, again, digest: digestOf(plan.sha256, args) },
      ...{ steps, home, resources, interrupted, exitCodeOf, version: version(), isNewStore: args.sandbox },
      out: args.out === undefined ? undefined : resolve(args.out),
      store: store?.named ?? (await namedStore(args, context)),
      hear: {
        ordered: (names) => terminal.note(`Steps: ${names.join(', then ')}.`),
        noted: (message) => terminal.note(message),
        watcher(phase, resource) {
          watch.stop();
          watch = newWatch();
          terminal.note(`${{ check: 'Checking', import: 'Importing', undo: 'Undoing' }[phase]} ${resource}.`);
          return watch.watcher;
        },
        ended(phase, summary) {
          watch.stop();
          terminal.note(stepLine(phase, summary));
          const { resource, run, outcomes, exit_code } = summary;
          log.info({ phase, resource, run, outcomes, exit_code }, 'step ended');
        },
        async confirm(checks) {
          const planned = checks.reduce((sum, { outcomes }) => sum + (outcomes.planned ?? 0), 0);
          const all = checks.reduce((sum, { records }) => sum + records, 0);
          if (args.yes) return true;
          const question = `${grouped(planned)} of ${grouped(all)} records are valid. Send these?`;
          return terminal.questions?.yesNo(question) ?? false;
        },
      },
    };
    const connect = ({ options: { resource } }: MigrationOptions['steps'][number]) => {
      const inDoubt = steps.find((step) => step.options.resource.name === resource.name)?.inDoubt;
      return (store as NonNullable<typeof store>).target(inDoubt);
    };
    const confirmUndo = async (what: MigrationToUndo) => {
      terminal.note(toUndoText(what));
      if (Object.keys(what.undone).length === 0 || args.dryRun) return false;
      if (args.yes) return true;
      if (terminal.questions) return terminal.questions.yesNo('Put them into the trash?');
      throw new ConfigError('There is no terminal to ask on, so nothing was changed.', [
        'Add --yes to continue without asking.',
        ...againHint({ yes: true }),
      ]);
    };
    const summary = args.undo
      ? await undoMigration(options, connect, confirmUndo)
      : await runMigration(options, store && connect);
    watch.stop();
    return summary ? print(summary, context, migrationText) : EXIT_CODES.done.code;
  } finally {
    watch.stop();
    await store?.close();
  }
}

/** Changes with the plan, and with the options of the command that change what is sent. */
function digestOf(sha256: string, { maskContacts }: MigrateArguments): string {
  return createHash('sha256')
    .update(JSON.stringify([sha256, maskContacts]))
    .digest('hex');
}

function print(
  summary: MigrationSummary,
  { terminal, log, json }: CommandContext,
  textOf: (summary: MigrationSummary) => string,
): number {
  logSummary(log, { ...summary, command: 'migrate' } as MigrationSummary, ['steps']);
  terminal.out(json ? JSON.stringify(summary) : textOf(summary), paintSummary);
  return summary.exit_code;
}
