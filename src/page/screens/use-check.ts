import { useEffect, useState } from 'preact/hooks';
import type { ControlJob, JobView, StartJob, WorkView } from '../../ui/api/index.ts';
import { get, post, type RequestFailed } from '../client.ts';
import { useJob } from '../use-job.ts';
import { asFailure } from '../use-load.ts';

export interface CheckWanted {
  readonly work: WorkView | undefined;
  /** Id of the store whose earlier records count. */
  readonly store: string;
  readonly limit: number | undefined;
}

export interface PlanCheck {
  /** The check of exactly these choices; undefined until it has begun. */
  readonly job: JobView | undefined;
  /** Another job, which keeps the check from beginning. */
  readonly busy: JobView | undefined;
  readonly failure: RequestFailed | undefined;
  readonly retry: () => void;
}

/** How often to look if another job has ended, milliseconds. */
const LOOK_MS = 1500;

/**
 * Checks a work again whenever the store or the limit changes. A check of the same choices is used again, so a reload
 * and a second tab do not begin another one.
 */
export function useCheck({ work, store, limit }: CheckWanted): PlanCheck {
  const [id, setId] = useState<string>();
  const [busy, setBusy] = useState<JobView>();
  const [failure, setFailure] = useState<RequestFailed>();
  const [times, setTimes] = useState(0);
  const { job } = useJob(id);
  useEffect(() => {
    if (!work) return;
    const controller = new AbortController();
    const { signal } = controller;
    setId(undefined);
    setBusy(undefined);
    setFailure(undefined);
    beginCheck({ work, store, limit }, { signal, isAgain: times > 0, onBusy: setBusy }).then(
      (found) => {
        if (signal.aborted) return;
        setBusy(undefined);
        setId(found.id);
      },
      (error: unknown) => {
        if (!signal.aborted) setFailure(asFailure(error));
      },
    );
    return () => controller.abort();
  }, [work?.id, work?.changedAt, store, limit, times]);
  const retry = () => setTimes((before) => before + 1);
  return { job: job?.id === id ? job : undefined, busy, failure, retry };
}

interface BeginOptions {
  readonly signal: AbortSignal;
  /** An ended check is not used again: the user asked for a new one. */
  readonly isAgain: boolean;
  readonly onBusy: (job: JobView) => void;
}

async function beginCheck(
  wanted: CheckWanted & { readonly work: WorkView },
  { signal, isAgain, onBusy }: BeginOptions,
): Promise<JobView> {
  for (;;) {
    const current = await get<JobView | null>('/jobs/current', signal);
    const isOver = !current || current.state === 'ended';
    if (current && isSameCheck(current, wanted) && !(isOver && (isAgain || !current.end?.result)))
      return current;
    if (isOver) {
      const { work, store, limit } = wanted;
      const start: StartJob = {
        kind: 'check',
        work: work.id,
        store,
        ...(limit === undefined ? {} : { limit }),
      };
      return post<JobView>('/jobs', start);
    }
    // A check of earlier choices is of no use any more. Other jobs are left alone.
    if (current.kind === 'check' && current.work === wanted.work.id) {
      const stop: ControlJob = { action: 'stop' };
      if (current.state !== 'stopping') await post(`/jobs/${current.id}/control`, stop).catch(() => {});
      await pauseOf(LOOK_MS / 10);
    } else {
      onBusy(current);
      await pauseOf(LOOK_MS);
    }
    signal.throwIfAborted();
  }
}

/** True for a check of this work as it is now, with the same options. */
function isSameCheck(
  job: JobView,
  { work, store, limit }: CheckWanted & { readonly work: WorkView },
): boolean {
  if (job.kind !== 'check' || job.work !== work.id || job.startedAt < work.changedAt) return false;
  return job.storeId === store && job.limit === limit;
}

function pauseOf(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
