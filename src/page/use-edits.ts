import { useRef, useState } from 'preact/hooks';
import type { RequestFailed } from './client.ts';
import { asFailure } from './use-load.ts';

export interface Edits<Edit> {
  /** Sends a change, after those that are on their way. */
  readonly edit: (edit: Edit) => void;
  /** The latest change while it is on its way, to be shown at once. */
  readonly pending: Edit | undefined;
  /** Failure of the latest change that was answered, until the next one begins. */
  readonly failure: RequestFailed | undefined;
}

/**
 * Sends changes one after the other, in the order in which they were made. Controls stay enabled meanwhile: a control
 * that is disabled loses the focus of the keyboard.
 */
export function useEdits<Edit, View>(
  send: (edit: Edit) => Promise<View>,
  onAnswer: (view: View) => void,
): Edits<Edit> {
  const [pending, setPending] = useState<Edit>();
  const [failure, setFailure] = useState<RequestFailed>();
  const tail = useRef<Promise<void>>(Promise.resolve());
  const edit = (wanted: Edit) => {
    setPending(wanted);
    setFailure(undefined);
    const mine: Promise<void> = tail.current
      .then(() => send(wanted))
      .then(onAnswer)
      .catch((error: unknown) => setFailure(asFailure(error)))
      .finally(() => {
        if (tail.current === mine) setPending(undefined);
      });
    tail.current = mine;
  };
  return { edit, pending, failure };
}
