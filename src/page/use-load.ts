import { type Inputs, useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { RequestFailed } from './client.ts';

/** The state of something that is fetched. While it is fetched again, the earlier value stays. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly failure: RequestFailed | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Puts an answer in place of the value, as after a change. */
  readonly replace: (value: Value) => void;
}

/** Fetches something, again whenever one of `inputs` changes. An answer that comes too late is dropped. */
export function useLoad<Value>(load: (signal: AbortSignal) => Promise<Value>, inputs: Inputs): Loaded<Value> {
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'failure' | 'isLoading'>>({
    value: undefined,
    failure: undefined,
    isLoading: true,
  });
  const [times, setTimes] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    loader.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ value, failure: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          setState((before) => ({ ...before, failure: asFailure(error), isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [...inputs, times]);
  const reload = useCallback(() => setTimes((before) => before + 1), []);
  const replace = useCallback(
    (value: Value) => setState({ value, failure: undefined, isLoading: false }),
    [],
  );
  return { ...state, reload, replace };
}

export function asFailure(error: unknown): RequestFailed {
  return error instanceof RequestFailed
    ? error
    : new RequestFailed(String((error as Error).message ?? error));
}
