import { readFileSync, rmSync, writeFileSync } from '../../model/files/fs.ts';
import { ConfigError, type Metric, prometheusText, replaceFileSync } from '../../model/index.ts';
import { type CommandFacts, countsIn } from '../command-facts.ts';

const SUCCESS = 'storeport_last_success_timestamp_seconds';

/**
 * A file for the textfile collector of Prometheus' node exporter. It is replaced as a whole, since the collector may read it
 * at any moment. The time of the last success is taken over from the file before.
 */
export interface MetricsFile {
  /** Notes that the command runs, and its figures. Throws ConfigError if the file cannot be written. */
  begin(): void;
  /** Notes its end. Throws the error of the system. */
  end(exitCode: number): void;
}

export function openMetricsFile(file: string, facts: CommandFacts): MetricsFile {
  const before = lastSuccessIn(file);
  return {
    begin() {
      try {
        replace(file, textOf(metricsOf(facts, { success: before })));
      } catch (error) {
        throw new ConfigError(`The metrics file ${file} cannot be written: ${(error as Error).message}.`, [
          'Name a file with --metrics in a folder that exists and that you may write to.',
        ]);
      }
    },
    end(exitCode) {
      const endedAt = facts.stopwatch.date().getTime() / 1000;
      replace(
        file,
        textOf(metricsOf(facts, { success: exitCode === 0 ? endedAt : before, end: { exitCode, endedAt } })),
      );
    },
  };
}

function metricsOf(
  facts: CommandFacts,
  {
    success,
    end,
  }: {
    readonly success: number | undefined;
    readonly end?: { readonly exitCode: number; readonly endedAt: number };
  },
): Metric[] {
  const { command, resource = '', profile = 'default', store = '' } = facts;
  const own = { command, resource, profile };
  const one = (name: string, help: string, value: number | undefined): Metric => ({
    name: `storeport_${name}`,
    help,
    samples: value === undefined ? [] : [[own, value]],
  });
  const figure = (name: string) => {
    const value = facts.summary?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  return [
    one('running', '1 while the command runs.', end ? 0 : 1),
    one(
      'last_start_timestamp_seconds',
      'Time at which the command began.',
      facts.stopwatch.startedAt.getTime() / 1000,
    ),
    one('last_end_timestamp_seconds', 'Time at which the command ended.', end?.endedAt),
    {
      name: SUCCESS,
      help: 'Time at which the command last ended with exit code 0.',
      samples: success === undefined ? [] : [[own, success]],
    },
    one('last_exit_code', 'Exit code of the command.', end?.exitCode),
    one('last_duration_seconds', 'Duration of the command.', end && facts.stopwatch.elapsedMs() / 1000),
    {
      name: 'storeport_last_records',
      help: 'Records by outcome, or exported items.',
      samples: end
        ? Object.entries(countsIn(facts)).map(([outcome, count]) => [{ ...own, outcome }, count])
        : [],
    },
    one('last_not_read', 'Records that were not read since the run stopped.', end && figure('not_read')),
    one('last_attempts', 'Requests that were sent for the records.', end && figure('attempts')),
    one(
      'last_unsure_pages',
      'Pages of an export before which items may be missing.',
      end && figure('unsure'),
    ),
    { name: 'storeport_store_info', help: 'The store of the command.', samples: [[{ ...own, store }, 1]] },
    ...(facts.figures ?? []),
  ];
}

/** A figure without a value is left out. */
function textOf(metrics: readonly Metric[]): string {
  return prometheusText(metrics.filter(({ samples }) => samples.length > 0));
}

/** The time in an earlier file, in seconds since 1970; undefined if there is none. */
function lastSuccessIn(file: string): number | undefined {
  try {
    const [, value] =
      new RegExp(`^${SUCCESS}\\{[^}]*\\} ([\\d.e+]+)$`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
    return value === undefined ? undefined : Number(value);
  } catch {
    return undefined;
  }
}

/** Synchronous, since the end of the process cannot wait. */
function replace(file: string, text: string): void {
  const part = `${file}.${process.pid}`;
  try {
    writeFileSync(part, text);
    replaceFileSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
