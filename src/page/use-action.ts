import { useState } from 'preact/hooks';
import type { RequestFailed } from './client.ts';
import { asFailure } from './use-load.ts';

export interface ButtonAction {
  /** Runs something that a button does. A failure is kept to be shown, until the next one begins. */
  readonly run: (work: () => Promise<unknown>) => void;
  readonly isBusy: boolean;
  readonly failure: RequestFailed | undefined;
}

export function useAction(): ButtonAction {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<RequestFailed>();
  return {
    isBusy,
    failure,
    run(work) {
      setBusy(true);
      setFailure(undefined);
      work()
        .catch((error: unknown) => setFailure(asFailure(error)))
        .finally(() => setBusy(false));
    },
  };
}
