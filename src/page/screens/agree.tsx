import type { ComponentChildren } from 'preact';
import type { RequestFailed } from '../client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/frame.tsx';

/** The explicit yes before anything is sent to a real store. It names the store, in the text and on the button. */
export function AgreeDialog({
  address,
  title,
  onAgree,
  onClose,
  isBusy,
  failure,
  children,
}: {
  readonly address: string;
  readonly title: string;
  readonly onAgree: () => void;
  readonly onClose: () => void;
  readonly isBusy: boolean;
  /** Why it could not be begun. */
  readonly failure?: RequestFailed | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <Dialog
      title={`${title}?`}
      onClose={onClose}
      buttons={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="main" disabled={isBusy} onClick={onAgree}>
            <span class="address">Yes, send to {address}</span>
          </button>
        </>
      }
    >
      {children}
      {failure ? <Failure failure={failure} /> : null}
    </Dialog>
  );
}
