import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { existsSync, resolve } from '../../../model/files/fs.ts';
import { bytesIn, ConfigError, type RecordResult } from '../../../model/index.ts';
import { IMAGE_OPTIONS, MONITOR_OPTIONS, SIZE, wholeNumber } from '../../../options/index.ts';
import { logRecord } from '../../command-log.ts';
import type { CommandContext } from '../../context.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, type FleetSql, withFleet } from './open-fleet.ts';
import { ARTIFACTS_OPTION, openFiles } from './place.ts';
import { createWorkerFigures, type WorkerFigures } from './worker-figures.ts';

type WorkerLog = NonNullable<Parameters<Fleet['runWorker']>[0]['log']>;
type SecretReader = Parameters<Fleet['createExecutor']>[0]['secretReader'];

interface WorkerArguments extends DatabaseArguments {
  readonly slots: number;
  readonly name?: string | undefined;
  readonly artifacts?: string | undefined;
  readonly sources: readonly string[];
  readonly allowPrivateSources: boolean;
  readonly allowPrivateImages: boolean;
  readonly maxSourceSize?: string | undefined;
}

/** Each store in work is an import with its connections, batches and buffers. */
const MOST_SLOTS = 500;

/** Connections that a worker needs besides those of its slots: leases, signs of life and the job engine. */
const OWN_CONNECTIONS = 4;
const MOST_CONNECTIONS = 40;

export const fleetWorkerCommand: Command<WorkerArguments> = {
  usage: 'worker',
  summary: 'Do tasks until it is interrupted: a service for each machine',
  options: {
    slots: {
      topic: 'fleet',
      type: 'number',
      syntax: wholeNumber(1, MOST_SLOTS),
      default: 20,
      describe: 'Stores that are served at once',
      emptyIsNone: true,
    },
    name: {
      topic: 'fleet',
      describe: 'Beginning of its id, which must be unique at any time (default: the name of the machine)',
      emptyIsNone: true,
    },
    ...ARTIFACTS_OPTION,
    sources: {
      topic: 'fleet',
      array: true,
      default: [] as string[],
      describe:
        'Folder that tasks may read, with all below it; may be repeated (default: all that the user of the worker can read)',
      completes: 'folder',
      notFromFile: true,
    },
    'allow-private-sources': {
      topic: 'fleet',
      type: 'boolean',
      default: false,
      describe: 'Tasks may name files at web addresses on this machine and in private networks',
      notFromFile: true,
      emptyIsNone: true,
    },
    'allow-private-images': {
      ...IMAGE_OPTIONS['allow-private-images'],
      topic: 'fleet',
      describe: 'Tasks that check images may ask for images on this machine and in private networks',
    },
    'max-source-size': {
      topic: 'fleet',
      syntax: SIZE,
      describe: 'Largest file that tasks may read, such as 2GB (default: any)',
      emptyIsNone: true,
    },
    metrics: MONITOR_OPTIONS.metrics,
    ...DATABASE_OPTIONS,
  },
  mainOptions: [
    ...['slots', 'name', 'artifacts', 'sources', 'allow-private-sources', 'max-source-size', 'metrics'],
    ...['database', 'database-schema', 'profile', 'log-level', 'log-file'],
  ],
  examples: [['$0 fleet worker --slots 20 --artifacts s3://shops/fleet --log-level info', 'As a service']],
  epilogue: () =>
    'SIGTERM or Ctrl-C drains it: tasks stop as by an interrupt, their leases are given back, and other workers continue them.\n' +
    'A second one ends it at once: what was in flight is in doubt, as after a kill.',
  async run(args, context) {
    const drain = context.onInterrupt(() =>
      context.terminal.error(
        'Ended at once: what was in flight is in doubt until another worker has settled it.',
      ),
    );
    const poolSize = Math.min(args.slots + OWN_CONNECTIONS, MOST_CONNECTIONS);
    return withFleet(
      args,
      context,
      async (fleet, database) => {
        const id = workerId(args.name);
        context.log.about({ worker: id });
        const figures = createWorkerFigures();
        const sql = figures.watchCommits(database);
        const seenFile = resolve(args.home, 'fleet-database.json');
        const storage = await openFiles({ fleet, sql }, args, context, { purpose: 'write', isFirst: true });
        // A key that is missing ends a worker before it takes a task.
        await fleet.openRowSeal(sql, storage);
        const parts = executorParts(sql, context, readerOfWorker(id));
        const { log } = parts;
        const limits = sourceLimits(args);
        const execute = fleet.createExecutor({
          ...limits,
          ...{ ...parts, storage, scratch: resolve(args.home, 'worker') },
        });
        const stopMetrics = keepMetrics(figures, () => fleet.fleetOverview(sql), id, context);
        drain.addEventListener('abort', () =>
          context.terminal.note(
            'Draining: tasks in progress stop and are queued again. Interrupt again to end at once.',
          ),
        );
        try {
          const { executions } = await fleet.runWorker({
            ...{ sql, slots: args.slots, drain, id, log, storage, mask: context.terminal.mask },
            execute: figures.watchTasks(execute),
            ...{ seenFile, sources: limits.sources },
            commits: figures.commitTimes,
            timing: fleet.timingOfFaults(context.environment),
          });
          if (context.json) context.terminal.out(JSON.stringify({ worker: id, executions }));
          else context.terminal.note(`The worker ${id} has ended. Executions of tasks: ${executions}.`);
          return 0;
        } finally {
          await stopMetrics();
          await storage.close();
        }
      },
      { poolSize },
    );
  },
};

/** Without limits, people who add tasks could read all that the worker can, files and servers, by the reports. */
function sourceLimits({
  sources,
  maxSourceSize,
  allowPrivateSources: allowsPrivateSources,
  allowPrivateImages: allowsPrivateImages,
}: WorkerArguments) {
  for (const folder of sources)
    if (!existsSync(folder)) throw new ConfigError(`There is no folder ${folder}, which --sources names.`);
  return {
    sources: sources.length === 0 ? undefined : sources.map((folder) => resolve(folder)),
    mostBytes: maxSourceSize === undefined ? undefined : bytesIn(maxSourceSize),
    allowsPrivateSources,
    allowsPrivateImages,
  };
}

function workerId(name = hostname()): string {
  if (!/^[\w.-]+$/.test(name))
    throw new ConfigError('The name of a worker may have letters, digits, ".", "_" and "-".', [
      'Give another one with --name.',
    ]);
  return `${name}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

/** The name of a worker may say nothing of its machine. */
function readerOfWorker(id: string): SecretReader {
  const host = hostname();
  return {
    name: `the worker ${id}${id.includes(host) ? '' : ` on ${host}`}`,
    toDo: 'Give it to all workers, restart those whose variables changed, then resume the task.',
  };
}

/** A command that a person gave. */
export const READER_OF_SHELL: SecretReader = {
  name: 'this shell',
  toDo: 'Give it to this shell, as the workers have it, then repeat the command.',
};

/** Parts that every executor of tasks needs. */
export function executorParts(sql: FleetSql, context: CommandContext, secretReader: SecretReader) {
  const { log } = context;
  return {
    sql,
    secretReader,
    environment: context.environment,
    mask: context.terminal.mask,
    log: workerLog(context),
    recordFailed: log.hasInfo
      ? (result: RecordResult, about: object) => logRecord(log, result, about)
      : undefined,
  };
}

/** Lines of the worker: to the log, and without one to the terminal. */
function workerLog({ log, terminal }: CommandContext): WorkerLog {
  const line = (level: 'info' | 'warn' | 'error') => (facts: object, message: string) => {
    log[level](facts, message);
    if (log.hasInfo) return;
    const words = Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [`${name}=${wordOf(value)}`],
    );
    const text = `${new Date().toISOString().slice(0, 19)}Z ${message} ${words.join(' ')}`.trimEnd();
    if (level === 'info') terminal.note(text);
    else terminal.error(`${level === 'warn' ? 'Warning' : 'Error'}: ${text}`);
  };
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

/** Text with blanks has quotes, and counts are `created:20,invalid:5`. */
function wordOf(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map((each) => each.join(':'))
      .join(',');
  const text = String(value);
  return /\s/.test(text) ? JSON.stringify(text) : text;
}

const METRICS_MS = 15_000;

/** Writes the metrics file now and then. Returns a function that ends this. */
function keepMetrics(
  figures: WorkerFigures,
  overview: () => ReturnType<Fleet['fleetOverview']>,
  id: string,
  { log }: CommandContext,
): () => Promise<void> {
  const { facts } = log;
  if (facts?.writeFigures === undefined) return async () => {};
  let current = Promise.resolve();
  async function write(): Promise<void> {
    try {
      if (facts) facts.figures = figures.metricsOf(await overview(), id);
      facts?.writeFigures?.();
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the figures of the fleet could not be read');
    }
  }
  const turn = () => {
    current = current.then(write);
  };
  turn();
  const timer = setInterval(turn, METRICS_MS);
  return async () => {
    clearInterval(timer);
    turn();
    await current;
  };
}
