import { useEffect, useRef, useState } from 'preact/hooks';
import type { RequestFailed } from './client.ts';
import { asFailure, type Loaded } from './use-load.ts';

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
 * that is disabled loses the focus of the keyboard. Each change names the state that it was made on, so that two tabs do
 * not undo each other's changes: if the server has another, the change is refused, and the newer state is shown.
 */
export function useEdits<Edit, View extends { readonly version: string }>(
  send: (edit: Edit, query: string) => Promise<View>,
  loaded: Loaded<View>,
): Edits<Edit> {
  const [pending, setPending] = useState<Edit>();
  const [failure, setFailure] = useState<RequestFailed>();
  const tail = useRef<Promise<void>>(Promise.resolve());
  const version = useRef<string | undefined>(undefined);
  useEffect(() => {
    version.current = loaded.value?.version;
  }, [loaded.value]);
  const edit = (wanted: Edit) => {
    setPending(wanted);
    setFailure(undefined);
    const mine: Promise<void> = tail.current
      .then(() => send(wanted, versionQuery(version.current)))
      .then((view) => {
        version.current = view.version;
        loaded.replace(view);
      })
      .catch((error: unknown) => {
        const found = asFailure(error);
        setFailure(found);
        if (found.status === STALE) loaded.reload();
      })
      .finally(() => {
        if (tail.current === mine) setPending(undefined);
      });
    tail.current = mine;
  };
  return { edit, pending, failure };
}

/** Status of the answer to a change of a state that the server has no more. */
export const STALE = 409;

/** The query that names the state that a change was made on. */
export function versionQuery(version: string | undefined): string {
  return version === undefined ? '' : `?version=${encodeURIComponent(version)}`;
}
