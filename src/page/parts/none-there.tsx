import { counted } from '../text.ts';
import { Dialog } from './dialog.tsx';

/** Asks before records in doubt are settled as not there, since a record that is there after all could be sent again. */
export function NoneThere({
  count,
  advice,
  onClose,
  onYes,
}: {
  readonly count: number;
  readonly advice: string;
  readonly onClose: () => void;
  readonly onYes: () => void;
}) {
  return (
    <Dialog
      title={`Is none of these ${counted(count)} records there?`}
      onClose={onClose}
      buttons={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            class="main"
            onClick={() => {
              onClose();
              onYes();
            }}
          >
            Yes, none is there
          </button>
        </>
      }
    >
      <p>{advice}</p>
    </Dialog>
  );
}
