import { useState } from 'preact/hooks';
import type { MappingView } from '../../ui/api/index.ts';
import { post } from '../client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/frame.tsx';
import { useAction } from '../use-action.ts';
import { versionQuery } from '../use-edits.ts';

/** Writes the mapping into a file, for the command line and for the next time. */
export function SaveMappingForm({
  work,
  name,
  view,
  onSaved,
}: {
  readonly work: string;
  /** Name of the file that it reads, once it is known. */
  readonly name: string | undefined;
  readonly view: MappingView;
  readonly onSaved: (view: MappingView) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string>();
  const path = typed ?? view.savedAs ?? `${stemOf(name ?? view.resource)}.mapping.yaml`;
  const { run, failure, isBusy } = useAction();
  const save = (replace: boolean) =>
    run(async () => {
      const body = replace ? { path, replace } : { path };
      onSaved(await post<MappingView>(`/works/${work}/mapping/file${versionQuery(view.version)}`, body));
      setOpen(false);
    });
  return (
    <>
      <span class="small" role="status">
        {savedText(view)}
      </span>
      <button type="button" disabled={view.text === ''} onClick={() => setOpen(true)}>
        Save the mapping
      </button>
      {isOpen ? (
        <Dialog
          title="Save the mapping"
          onClose={() => setOpen(false)}
          buttons={
            <>
              <button type="button" onClick={() => setOpen(false)}>
                Cancel
              </button>
              {failure && /exists already/.test(failure.message) ? (
                <button type="button" disabled={isBusy} onClick={() => save(true)}>
                  Replace that file
                </button>
              ) : null}
              <button type="button" class="main" disabled={isBusy} onClick={() => save(false)}>
                Save
              </button>
            </>
          }
        >
          <label class="field save-path">
            <span>File</span>
            <input
              value={path}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              spellcheck={false}
            />
          </label>
          {failure ? <Failure failure={failure} /> : null}
        </Dialog>
      ) : null}
    </>
  );
}

function savedText({ savedAs, isUnsaved }: MappingView): string {
  if (savedAs !== null) return isUnsaved ? `Changed since it was saved as ${savedAs}` : `Saved as ${savedAs}`;
  return isUnsaved ? 'Not saved as a file yet' : '';
}

/** The name of a file without its endings. */
function stemOf(name: string): string {
  return name.replace(/(\.(csv|tsv|txt|json|ndjson|jsonl|xlsx|gz))+$/i, '') || name;
}
