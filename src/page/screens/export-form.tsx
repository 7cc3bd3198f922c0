import type { ExportChoice, ResourceView, StoreView } from '../../ui/api/index.ts';
import { ExportColumns } from './export-columns.tsx';
import { ExportFilters } from './export-filters.tsx';
import { NumberField } from './number-field.tsx';

interface ExportFormProps {
  readonly resources: readonly ResourceView[];
  readonly stores: readonly StoreView[];
  /** Folder below which the file is written. */
  readonly folder: string;
  readonly choice: ExportChoice;
  readonly onChange: (choice: ExportChoice) => void;
  readonly file: string;
  readonly onFile: (file: string) => void;
}

/** The choices of an export: what, which items, and the file. */
export function ExportForm(props: ExportFormProps) {
  const { resources, stores, folder, choice, onChange, file, onFile } = props;
  const resource = resources.find(({ name }) => name === choice.resource);
  const store = stores.find(({ id }) => id === choice.store);
  const set = (part: { readonly [Name in keyof ExportChoice]?: ExportChoice[Name] | undefined }) => {
    const entries = Object.entries({ ...choice, ...part }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(entries) as unknown as ExportChoice);
  };
  return (
    <div class="export-form">
      <fieldset>
        <legend>What</legend>
        <label class="field">
          <span>Resource</span>
          <select
            value={choice.resource}
            onChange={({ currentTarget }) =>
              set({ resource: currentTarget.value, columns: undefined, filters: undefined })
            }
          >
            {resources.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Store</span>
          <select value={choice.store} onChange={({ currentTarget }) => set({ store: currentTarget.value })}>
            {stores.map(({ id, title, problem }) => (
              <option key={id} value={id} disabled={problem !== undefined}>
                {title}
              </option>
            ))}
          </select>
          <span class="small quiet">{store?.problem ?? store?.address ?? 'with examples to try it out'}</span>
        </label>
      </fieldset>
      <fieldset>
        <legend>Which items</legend>
        <div class="pair">
          <label class="field">
            <span>Created since</span>
            <input
              value={choice.since ?? ''}
              placeholder="2026-01-31, or 7d"
              onChange={({ currentTarget }) => set({ since: currentTarget.value.trim() || undefined })}
            />
          </label>
          <NumberField
            label="At most"
            value={choice.limit}
            placeholder="all"
            onValue={(limit) => set({ limit })}
          />
        </div>
        {resource && resource.filters.length > 0 ? (
          <ExportFilters
            key={resource.name}
            names={resource.filters}
            filters={choice.filters ?? []}
            onFilters={(filters) => set({ filters: filters.length === 0 ? undefined : filters })}
          />
        ) : null}
        <label class="field">
          <input
            type="checkbox"
            checked={choice.incremental ?? false}
            onChange={({ currentTarget }) => set({ incremental: currentTarget.checked || undefined })}
          />
          Only what is new since the last export
        </label>
      </fieldset>
      <fieldset>
        <legend>File</legend>
        <label class="field">
          <span>Name, below {folder}</span>
          <input
            class="wide"
            value={file}
            onInput={({ currentTarget }) => onFile(currentTarget.value)}
            spellcheck={false}
          />
        </label>
        <label class="field">
          <span>Format</span>
          <select
            value={choice.format}
            onChange={({ currentTarget }) => set({ format: currentTarget.value as ExportChoice['format'] })}
          >
            <option value="csv">CSV</option>
            <option value="json">JSON</option>
            <option value="ndjson">NDJSON, one object a line</option>
          </select>
        </label>
        {resource && choice.format === 'csv' ? (
          <ExportColumns
            key={resource.name}
            all={resource.columns}
            chosen={choice.columns ?? resource.columns}
            onColumns={(columns) => set({ columns })}
          />
        ) : null}
      </fieldset>
    </div>
  );
}
