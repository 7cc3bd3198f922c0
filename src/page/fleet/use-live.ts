import type { Inputs } from 'preact/hooks';
import { useEffect } from 'preact/hooks';
import { get, RequestFailed } from '../client.ts';
import { type Loaded, useLoad } from '../use-load.ts';

/** How often a screen looks again while it is seen, milliseconds. */
const LOOK_MS = 5000;

/** Fetches something and keeps it fresh. `onSignedOut`: called if the session is over. */
export function useLive<Value>(path: string, inputs: Inputs, onSignedOut: () => void): Loaded<Value> {
  const loaded = useLoad<Value>((signal) => get(path, signal), [path, ...inputs]);
  const { reload, failure } = loaded;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  useEffect(() => {
    if (isSignedOut(failure)) onSignedOut();
  }, [failure, onSignedOut]);
  return loaded;
}

export function isSignedOut(failure: unknown): boolean {
  return failure instanceof RequestFailed && failure.status === 401;
}
