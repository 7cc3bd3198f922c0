import { useEffect, useRef, useState } from 'preact/hooks';
import type { WorkView } from '../../ui/api/index.ts';
import { upload } from '../client.ts';
import { Failure } from '../parts/frame.tsx';
import { openScreen } from '../router.ts';
import { percent, plural } from '../text.ts';
import { useAction } from '../use-action.ts';

interface Copying {
  readonly name: string;
  /** From 1. */
  readonly nth: number;
  readonly of: number;
  /** 0 to 1. */
  readonly part: number;
}

/** Takes files from a drop anywhere on the page, or from a button. Each file is a work of its own. */
export function DropFile({
  onOpened,
}: {
  /** Called when several files were copied: the list of recent files has changed. */
  readonly onOpened: () => void;
}) {
  const [isOver, setOver] = useState(false);
  const [copying, setCopying] = useState<Copying>();
  const [done, setDone] = useState('');
  const { run, failure, isBusy } = useAction();
  const input = useRef<HTMLInputElement>(null);
  const controller = useRef<AbortController | undefined>(undefined);
  const send = (files: readonly File[]) => {
    if (files.length === 0 || controller.current) return;
    controller.current = new AbortController();
    const { signal } = controller.current;
    setDone('');
    run(async () => {
      try {
        const opened = await copyFiles(files, setCopying, signal);
        const [first] = opened;
        if (first && files.length === 1) openScreen('work', first.id, 'file');
        else setDone(`${plural(opened.length, 'file')} opened, each on its own. Choose one below.`);
      } catch (error) {
        if (!signal.aborted) throw error;
        setDone('Cancelled.');
      } finally {
        controller.current = undefined;
        setCopying(undefined);
        if (!signal.aborted || files.length > 1) onOpened();
      }
    });
  };
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => () => controller.current?.abort(), []);
  useEffect(() => listenForDrops(setOver, (files) => latest.current(files)), []);
  return (
    <>
      <section class={isOver ? 'drop over' : 'drop'} aria-label="Drop a file">
        {isBusy ? (
          <CopyProgress copying={copying} onCancel={() => controller.current?.abort()} />
        ) : (
          <>
            <p class="drop-here">{isOver ? 'Let go to open it' : 'Drop a file here'}</p>
            <p>
              <button type="button" class="main" onClick={() => input.current?.click()}>
                Choose a file
              </button>
            </p>
            <p class="quiet small">
              CSV, TSV, JSON, NDJSON or Excel, gzipped or not: products, customers, suppliers, discounts or
              orders. The file stays on this machine.
            </p>
            <input
              ref={input}
              type="file"
              multiple
              hidden
              aria-label="File"
              onChange={({ currentTarget }) => {
                send([...(currentTarget.files ?? [])]);
                // The same file can be chosen again.
                currentTarget.value = '';
              }}
            />
          </>
        )}
        <p class="small" role="status">
          {done}
        </p>
      </section>
      {failure ? <Failure failure={failure} /> : null}
    </>
  );
}

async function copyFiles(
  files: readonly File[],
  onProgress: (copying: Copying) => void,
  signal: AbortSignal,
): Promise<WorkView[]> {
  const opened: WorkView[] = [];
  for (const [n, file] of files.entries()) {
    signal.throwIfAborted();
    const copying = { name: file.name, nth: n + 1, of: files.length };
    onProgress({ ...copying, part: 0 });
    opened.push(await upload<WorkView>(file, (part) => onProgress({ ...copying, part }), signal));
  }
  return opened;
}

function CopyProgress({
  copying,
  onCancel,
}: {
  readonly copying: Copying | undefined;
  readonly onCancel: () => void;
}) {
  const { name = '', nth = 1, of = 1, part = 0 } = copying ?? {};
  const cancel = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => cancel.current?.focus(), []);
  return (
    <>
      <p role="status">
        {part < 1 ? 'Copying' : 'Reading'} <bdi>{name}</bdi>
        {of > 1 ? `, ${nth} of ${of}` : ''}
      </p>
      <p>
        <progress value={part} max={1} aria-label="Copying the file" />{' '}
        <span class="number">{percent(part)}</span>
      </p>
      <p>
        <button ref={cancel} type="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </>
  );
}

/** Files may be dropped anywhere: one that misses the area would replace the page. Returns the cleanup. */
function listenForDrops(onOver: (isOver: boolean) => void, onFiles: (files: readonly File[]) => void) {
  const controller = new AbortController();
  const { signal } = controller;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    onOver(true);
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) onOver(false);
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    onOver(false);
    onFiles([...(event.dataTransfer?.files ?? [])]);
  };
  addEventListener('dragover', over, { signal });
  addEventListener('dragleave', leave, { signal });
  addEventListener('drop', drop, { signal });
  return () => controller.abort();
}
