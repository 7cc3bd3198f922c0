import * as z from 'zod';
import { type ApiRequest, type ApiRoute, bodyOf, NotFound, numberIn } from '../../http/index.ts';
import { ConfigError } from '../../model/index.ts';
import { type KnownRun, runNamed, runsFrom } from '../../pipeline/index.ts';
import type { FixRows, RunLine, RunsView, SettleDoubts } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import type { FixJobs } from '../jobs/plan-job.ts';
import { createDescriber } from './describer.ts';
import { doubtsView, settleDoubts } from './doubts.ts';
import { createFixes } from './fixes.ts';
import { createLedgerStates, IGNORE_TROUBLE } from './ledger-state.ts';
import { reportFile } from './report-file.ts';
import { runLine, runView } from './run-view.ts';

export interface UiRuns extends FixJobs {
  readonly routes: readonly ApiRoute[];
  /** The latest runs, at most ten. */
  latest(): Promise<readonly RunLine[]>;
}

const LATEST = 10;
const MOST_RUNS = 200;
const MOST_ROWS = 500;
/** Cells that are pasted at once. */
const MOST_CELLS = 50_000;

const text = z.string().max(1_000_000);
const place = z.int().min(0);
const FIX = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('set'),
    cells: z
      .array(z.strictObject({ index: place, column: place, text }))
      .min(1)
      .max(MOST_CELLS),
  }),
  z.strictObject({ op: z.literal('replace'), column: place, find: text, text, cause: place.optional() }),
  z.strictObject({ op: z.enum(['drop', 'keep']), rows: z.array(place).min(1).max(MOST_CELLS) }),
  z.strictObject({ op: z.enum(['undo', 'redo']) }),
]);
const SETTLE = z.strictObject({
  answers: z
    .array(
      z.strictObject({
        row: z.int(),
        file: z.string().optional(),
        key: z.string(),
        id: z.string().min(1).nullable(),
      }),
    )
    .min(1),
});

/** The part of the API that is about runs. */
export function createRuns(context: UiContext): UiRuns {
  const { home, commands } = context;
  const states = createLedgerStates(home);
  const fixes = createFixes(context, states);
  const describe = createDescriber(home, states, {
    exitCodeOf: commands.exitCodeOf,
    onTrouble: IGNORE_TROUBLE,
  });

  /** Only whole ids: `last` and beginnings are for people who type. Throws NotFound. */
  async function runIn({ params: { run = '' } }: Pick<ApiRequest, 'params'>): Promise<KnownRun> {
    const missing = new NotFound(`There is no run "${run}".`, ['The list of runs shows all.']);
    if (!/^[\w-]+$/.test(run)) throw missing;
    try {
      const found = await runNamed(home, run);
      if (found.id === run) return found;
    } catch (error) {
      if (!(error instanceof ConfigError) || error.reason !== undefined) throw error;
    }
    throw missing;
  }
  /** Corrections, and reports of checks of them, are of no use when all rows have arrived. */
  async function dropFixed(run: string): Promise<undefined> {
    try {
      const { known, returned } = await describe(run);
      if (returned === 0 && known.state !== 'running') await fixes.drop(run);
    } catch {
      // Files that stay do no harm, and the job has ended well.
    }
    return undefined;
  }
  const idIn = async (request: Pick<ApiRequest, 'params'>) => (await runIn(request)).id;
  const linesFrom = async (from: number, count: number): Promise<RunsView> => {
    const { total, runs } = await runsFrom(home, IGNORE_TROUBLE, { from, count });
    return { total, runs: runs.map(runLine), command: context.commands.commandLine(['run', 'list']) };
  };

  return {
    latest: async () => (await linesFrom(0, LATEST)).runs,
    fixesToSend: fixes.toSend,
    runOf: (run) => runNamed(home, run),
    dropFixed,
    routes: [
      {
        method: 'GET',
        path: '/runs',
        run({ query }) {
          const from = numberIn(query, 'from', { default: 0, most: Number.MAX_SAFE_INTEGER });
          return linesFrom(from, numberIn(query, 'count', { default: 50, most: MOST_RUNS }));
        },
      },
      {
        method: 'GET',
        path: '/runs/:run',
        run: async (request) =>
          runView(await describe(await idIn(request)), context, await commands.resources()),
      },
      {
        method: 'GET',
        path: '/runs/:run/files/:name',
        isRaw: true,
        run: async (request) => reportFile((await runIn(request)).out, request.params.name ?? ''),
      },
      {
        method: 'GET',
        path: '/runs/:run/rows',
        async run(request) {
          const { query } = request;
          return fixes.rows(await idIn(request), {
            from: numberIn(query, 'from', { default: 0, most: Number.MAX_SAFE_INTEGER }),
            count: numberIn(query, 'count', { default: 100, most: MOST_ROWS }),
            cause: query.has('cause') ? numberIn(query, 'cause', { default: 0, most: 65_535 }) : undefined,
          });
        },
      },
      {
        method: 'POST',
        path: '/runs/:run/rows',
        run: async (request) =>
          fixes.edit(await idIn(request), bodyOf(FIX, request.body) as FixRows, request.query.get('version')),
      },
      {
        method: 'GET',
        path: '/runs/:run/doubts',
        run: async (request) => doubtsView(context, await idIn(request)),
      },
      {
        method: 'POST',
        path: '/runs/:run/doubts',
        run: async (request) =>
          settleDoubts(context, await idIn(request), bodyOf(SETTLE, request.body) as SettleDoubts),
      },
    ],
  };
}
