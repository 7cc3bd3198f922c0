import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Numbers of records; undefined for those by default. */
  readonly records?: readonly number[] | undefined;
  readonly rounds: number;
  readonly concurrency: number;
  readonly latencyMs: number;
  /** Titles of comparisons. */
  readonly only: readonly string[];
  /** Programs whose name begins with this are left out; empty for none. */
  readonly skip: string;
  readonly docs: boolean;
  readonly short: boolean;
  readonly noteRelease: boolean;
}

/** A mistake in the arguments, as one line. */
export class UsageError extends Error {}

/** The same code as that of storeport for a wrong command. */
export const USAGE_EXIT_CODE = 2;

export function usageOf(titles: readonly string[]): string {
  return `Usage: npm run bench -- [options]

Measures the speed of storeport beside its libraries and a script. See docs/benchmarks.md.

  --records <n,n>      numbers of records (1000,20000)
  --rounds <n>         rounds; the figures are their medians (3)
  --concurrency <n>    requests in flight (32)
  --latency <ms>       time until the store answers, for the comparisons with the sandbox (0)
  --only <title,…>     comparisons, by title (all)
  --skip <text>        leave out the programs whose name begins with this text
  --docs               write the tables into docs/benchmarks.md
  --short              half a minute: compare the CPU time with that at the last release
  --note-release       with --short: note the CPU time for the release that is being made
  --help               show this text

Comparisons: ${titles.join(', ')}

  npm run bench -- --records 200000,1000000 --rounds 1
  npm run bench -- --only 'import into a cheap store' --records 100000`;
}

/** Reads the arguments; 'help' if they ask for it. `titles`: of all comparisons. Throws UsageError. */
export function readOptions(args: readonly string[], titles: readonly string[]): BenchOptions | 'help' {
  const values = parsed(args);
  if (values.help) return 'help';
  const only = values.only?.split(',') ?? titles;
  for (const title of only)
    if (!titles.includes(title))
      throw new UsageError(`--only: no comparison is called '${title}'; there are ${titles.join(', ')}`);
  return {
    records: values.records?.split(',').map((each) => numberIn('records', each, 1)),
    rounds: numberIn('rounds', values.rounds, 1),
    concurrency: numberIn('concurrency', values.concurrency, 1),
    latencyMs: numberIn('latency', values.latency, 0),
    only,
    skip: values.skip,
    docs: values.docs,
    short: values.short,
    noteRelease: values['note-release'],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        records: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        concurrency: { type: 'string', default: '32' },
        latency: { type: 'string', default: '0' },
        only: { type: 'string' },
        skip: { type: 'string', default: '' },
        docs: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        'note-release': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    // The first sentence is the mistake. Node's others explain positional arguments, which this program does not take.
    throw new UsageError(message.split(/\. |\n/)[0]);
  }
}

function numberIn(option: string, text: string, least: number): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${option}: '${text}' is not a whole number from ${least} on`);
}
