import * as z from 'zod';
import { type ApiRoute, bodyOf, NotFound, type RawAnswer } from '../../http/index.ts';
import { ConfigError } from '../../model/index.ts';
import type { ControlJob, JobView, StartJob } from '../api/index.ts';
import { IMPORT_CHOICE } from '../work/routes.ts';
import { EXPORT_INTO } from './export-choice.ts';
import { type Job, startJob } from './job.ts';
import { type JobParts, planJob } from './plan-job.ts';

/** The jobs of this server: one at a time, and the last ones for pages that are opened again. */
export interface Jobs {
  readonly routes: readonly ApiRoute[];
  /** The job in progress, or else the latest; null if there was none. */
  current(): JobView | null;
  /** Stops the job in progress, and resolves when it has ended. No other can be started. */
  stop(): Promise<void>;
}

/** Jobs whose end can still be seen. */
const MOST_JOBS = 20;
/** The shortest and the longest time between two events of a job, milliseconds. */
const EVENT_MS = 250;
const HEARTBEAT_MS = 1000;

const text = z.string().min(1);
const count = z.int().positive();
const START = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('check'),
    work: text,
    store: text.optional(),
    limit: count.optional(),
  }),
  z.strictObject({
    kind: z.literal('import'),
    work: text,
    version: text.optional(),
    store: text,
    agreed: text.optional(),
    ...IMPORT_CHOICE.shape,
  }),
  z.strictObject({ kind: z.enum(['resume', 'retry', 'undo', 'ask-store']), run: text, agreed: text }),
  z.strictObject({ kind: z.literal('check-fixes'), run: text, store: text }),
  z.strictObject({ kind: z.literal('send-fixes'), run: text, store: text, agreed: text.optional() }),
  z.strictObject({ kind: z.literal('auth-check'), store: text }),
  z.strictObject({
    kind: z.literal('export'),
    ...EXPORT_INTO.shape,
    replace: z.boolean().optional(),
  }),
]);
const CONTROL = z.strictObject({
  action: z.enum(['pause', 'continue', 'stop', 'yes', 'no']),
  secret: z.string().max(10_000).optional(),
});

export function createJobs(parts: JobParts): Jobs {
  const jobs = new Map<string, Job>();
  let current: Job | undefined;
  /** True until the planned job has started: two clicks must not start two jobs. */
  let isPlanning = false;
  let isClosed = false;

  const isBusy = () => isPlanning || (current !== undefined && current.view().state !== 'ended');
  function jobNamed(id = ''): Job {
    const job = jobs.get(id);
    if (!job) throw new NotFound('This job is not known any more.', ['Its run is in the list of runs.']);
    return job;
  }
  async function start(body: unknown): Promise<JobView> {
    const wanted = bodyOf(START, body) as StartJob;
    if (isBusy())
      throw new ConfigError(`Another job is in progress${current ? `: ${current.view().title}` : ''}.`, [
        'Wait for its end, or stop it.',
      ]);
    isPlanning = true;
    try {
      const planned = await planJob(wanted, parts);
      if (isClosed) throw new ConfigError('storeport ui is stopping.', ['Start it again.']);
      current = startJob(planned, parts.context.commands);
    } finally {
      isPlanning = false;
    }
    jobs.set(current.id, current);
    for (const id of [...jobs.keys()].slice(0, -MOST_JOBS)) jobs.delete(id);
    return current.view();
  }

  return {
    current: () => current?.view() ?? null,
    async stop() {
      isClosed = true;
      current?.control({ action: 'stop' });
      await current?.ended;
    },
    routes: [
      { method: 'POST', path: '/jobs', run: ({ body }) => start(body) },
      { method: 'GET', path: '/jobs/current', run: () => current?.view() ?? null },
      { method: 'GET', path: '/jobs/:id', run: ({ params }) => jobNamed(params.id).view() },
      {
        method: 'POST',
        path: '/jobs/:id/control',
        run({ params, body }) {
          const job = jobNamed(params.id);
          const wanted = bodyOf(CONTROL, body) as ControlJob;
          if (!job.control(wanted))
            throw new ConfigError(`This job cannot ${wanted.action} now: it is ${job.view().state}.`);
          return job.view();
        },
      },
      {
        method: 'GET',
        path: '/jobs/:id/events',
        isRaw: true,
        run: ({ params }): RawAnswer => ({
          headers: { 'Content-Type': 'text/event-stream' },
          body: eventsOf(jobNamed(params.id)),
        }),
      },
    ],
  };
}

/** The view of a job at each change, as server-sent events. */
async function* eventsOf(job: Job): AsyncGenerator<string> {
  for (;;) {
    const view = job.view();
    yield `event: job\ndata: ${JSON.stringify(view)}\n\n`;
    if (view.state === 'ended') return;
    await pauseFor(EVENT_MS);
    // Its rate and its waits change while nothing else happens.
    await job.changed(HEARTBEAT_MS - EVENT_MS);
  }
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
