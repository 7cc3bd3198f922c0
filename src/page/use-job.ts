import { useEffect, useState } from 'preact/hooks';
import { API_BASE, type JobView } from '../ui/api/index.ts';
import { get, type RequestFailed } from './client.ts';
import { asFailure } from './use-load.ts';

export interface FollowedJob {
  readonly job: JobView | undefined;
  /** False while the server does not answer. The connection is made again by itself. */
  readonly isConnected: boolean;
  /** Why it cannot be followed any more: the server answers, and does not know the job or the page. */
  readonly failure: RequestFailed | undefined;
}

/** How long to wait before a lost connection is tried again, milliseconds. */
const AGAIN_MS = 2000;
const HTTP_ERROR = 400;

/** Follows a job, through times in which the server does not answer. */
export function useJob(id: string | undefined): FollowedJob {
  const [job, setJob] = useState<JobView>();
  const [isConnected, setConnected] = useState(true);
  const [failure, setFailure] = useState<RequestFailed>();
  useEffect(() => {
    setJob(undefined);
    setConnected(true);
    setFailure(undefined);
    if (id === undefined) return;
    const address = `/jobs/${encodeURIComponent(id)}`;
    let timer = 0;
    let events: EventSource | undefined;
    const connect = () => {
      const source = new EventSource(`${API_BASE}${address}/events`);
      events = source;
      source.addEventListener('job', (event) => {
        const view = JSON.parse((event as MessageEvent<string>).data) as JobView;
        setJob(view);
        setConnected(true);
        if (view.state === 'ended') source.close();
      });
      source.onerror = () => {
        setConnected(false);
        source.close();
        timer = setTimeout(lookAgain, AGAIN_MS);
      };
    };
    // An EventSource does not say if the job is unknown or the server is gone, so a request asks.
    const lookAgain = () => {
      get<JobView>(address).then(connect, (error: unknown) => {
        if (asFailure(error).status >= HTTP_ERROR) {
          setConnected(true);
          setFailure(asFailure(error));
        } else timer = setTimeout(lookAgain, AGAIN_MS);
      });
    };
    connect();
    return () => {
      clearTimeout(timer);
      events?.close();
    };
  }, [id]);
  return { job, isConnected, failure };
}
