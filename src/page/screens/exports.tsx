import { useEffect, useState } from 'preact/hooks';
import type {
  ExportChoice,
  ExportLine,
  ExportPreview,
  JobView,
  StartJob,
  StartView,
} from '../../ui/api/index.ts';
import { get, post } from '../client.ts';
import { OpenedDetails } from '../parts/command.tsx';
import { Empty, Failure, Loading, Screen, WhenLoaded } from '../parts/frame.tsx';
import { openScreen } from '../router.ts';
import type { ScreenProps } from '../screen-props.ts';
import { counted, moment } from '../text.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { ExportForm } from './export-form.tsx';
import { ExportCommands, ExportPreviewTable } from './export-preview.tsx';
import './exports.css';
import './file.css';
import './runs.css';

/** Exports: what, from where, which columns; a look at the first items; the file. */
export function ExportsScreen({ start, reloadStart }: ScreenProps) {
  const exportable = start.resources.filter(({ canExport }) => canExport);
  const [{ choice, out }, setForm] = useKeptForm(start);
  const file = out ?? `${choice.resource}.${choice.format}`;
  const [preview, setPreview] = useState<ExportPreview>();
  const look = useAction();
  const write = useAction();
  const [exists, setExists] = useState<string>();
  const earlier = useLoad<readonly ExportLine[]>((signal) => get('/exports', signal), []);
  const begin = () =>
    write.run(async () => {
      const replace = exists === file;
      const wanted: StartJob = { kind: 'export', ...choice, out: file, ...(replace ? { replace } : {}) };
      try {
        const job = await post<JobView>('/jobs', wanted);
        reloadStart();
        openScreen('job', job.id);
      } catch (error) {
        if ((error as Error).message.includes('exists already')) setExists(file);
        throw error;
      }
    });
  const showFirst = () =>
    look.run(async () => setPreview(await post<ExportPreview>('/exports/preview', choice)));
  return (
    <Screen
      title="What should be exported?"
      next={
        <>
          <button type="button" disabled={look.isBusy} onClick={showFirst}>
            Show the first items
          </button>
          <button type="button" class="main" disabled={write.isBusy || file.trim() === ''} onClick={begin}>
            {exists === file ? `Replace ${file}` : `Export ${choice.resource} to ${file}`}
          </button>
        </>
      }
    >
      {write.failure ? <Failure failure={write.failure} /> : null}
      <ExportForm
        resources={exportable}
        stores={start.stores}
        folder={start.folder}
        choice={choice}
        onChange={(changed) => {
          setForm({ choice: changed, out: out?.replace(/\.(?:csv|json|ndjson)$/i, `.${changed.format}`) });
          setPreview(undefined);
        }}
        file={file}
        onFile={(name) => setForm({ choice, out: name })}
      />
      {look.isBusy ? <Loading doing="Asking the store for the first items" /> : null}
      {look.failure ? <Failure failure={look.failure} onRetry={showFirst} /> : null}
      {preview ? <ExportPreviewTable preview={preview} resource={choice.resource} /> : null}
      <OpenedDetails summary="Show as command, and as a line for cron">
        <ExportCommands choice={choice} file={file} />
      </OpenedDetails>
      <h2>Earlier exports</h2>
      <WhenLoaded loaded={earlier} doing="Reading the list">
        {(lines) => <EarlierExports lines={lines} start={start} />}
      </WhenLoaded>
    </Screen>
  );
}

interface KeptForm {
  readonly choice: ExportChoice;
  /** Undefined while the name follows the resource and the format. */
  readonly out?: string | undefined;
}

const KEPT = 'storeport.export';

/** The form of the screen. A reload shows the same; another tab has its own. */
function useKeptForm({ resources, stores }: StartView) {
  const [form, setForm] = useState<KeptForm>(() => {
    const kept = sessionStorage.getItem(KEPT);
    const known = kept === null ? undefined : (JSON.parse(kept) as KeptForm);
    const fits =
      known !== undefined &&
      resources.some(({ name, canExport }) => canExport && name === known.choice.resource) &&
      stores.some(({ id }) => id === known.choice.store);
    if (fits) return known;
    const first =
      resources.find(({ name, canExport }) => canExport && name === 'reviews') ??
      resources.find(({ canExport }) => canExport);
    return {
      choice: { resource: first?.name ?? '', store: stores[0]?.id ?? 'sandbox', format: 'csv' },
    };
  });
  useEffect(() => sessionStorage.setItem(KEPT, JSON.stringify(form)), [form]);
  return [form, setForm] as const;
}

function EarlierExports({
  lines,
  start,
}: {
  readonly lines: readonly ExportLine[];
  readonly start: StartView;
}) {
  if (lines.length === 0)
    return (
      <Empty>
        <p>Nothing was exported from this page yet. Files that you export are listed here.</p>
      </Empty>
    );
  const titleOf = (store: string) => start.stores.find(({ id }) => id === store)?.title ?? store;
  return (
    <table class="runs">
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col" class="number">
            Items
          </th>
          <th scope="col">Store</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.file}>
            <td>
              <bdi>{line.file}</bdi> {line.exists ? null : <span class="quiet">(the file is gone)</span>}
            </td>
            <td class="number">
              {counted(line.items)} {line.resource}
            </td>
            <td>{titleOf(line.store)}</td>
            <td class="when">{moment(line.at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
