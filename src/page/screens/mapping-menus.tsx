import { useEffect, useRef, useState } from 'preact/hooks';
import type { StartView, WorkView } from '../../ui/api/index.ts';
import type { MenuProps } from './file-menus.tsx';

/** What the file holds, and by which mapping it is read. */
export function MappingMenus({ work, start, onChange, pending }: MenuProps & { readonly start: StartView }) {
  const [isOwn, setOwn] = useState(false);
  const { mapping, presets } = work;
  const inForce =
    mapping?.kind === 'preset' ? `preset:${mapping.name}` : mapping?.kind === 'file' ? 'file' : 'suggestion';
  const known = isOwn ? 'own' : (pending?.mapping ?? inForce);
  const fitting = presets.filter(({ fits }) => fits);
  const others = presets.filter(({ fits }) => !fits);
  useEffect(() => setOwn(false), [inForce, mapping?.name]);
  return (
    <section class="panel" aria-label="Mapping">
      <p>
        <b>{headlineOf(mapping)}</b>{' '}
        {mapping?.isChanged ? 'You changed how it is read: another choice here drops your changes.' : ''}
      </p>
      <div class="row">
        <label class="field">
          <span>It holds</span>
          <select
            value={pending?.resource ?? work.resource ?? ''}
            onChange={(event) => onChange({ resource: event.currentTarget.value })}
          >
            {work.resource === null ? <option value="">choose</option> : null}
            {start.resources
              .filter(({ canImport }) => canImport)
              .map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
          </select>
        </label>
        <label class="field">
          <span>Columns are read by</span>
          <select
            value={known}
            onChange={({ currentTarget: { value } }) => {
              setOwn(value === 'own');
              if (value !== 'own') onChange({ mapping: value });
            }}
          >
            <option value="suggestion">a suggestion</option>
            {mapping?.kind === 'file' ? <option value="file">{mapping.title}</option> : null}
            {mapping?.kind === 'preset' && mapping.name === 'native' ? (
              <option value="preset:native">{mapping.title}</option>
            ) : null}
            <option value="own">a mapping file of mine …</option>
            {fitting.length > 0 ? (
              <optgroup label="Presets that fit">
                {fitting.map(({ name, title }) => (
                  <option key={name} value={`preset:${name}`}>
                    {title}
                  </option>
                ))}
              </optgroup>
            ) : null}
            <optgroup label="Other presets">
              {others.map(({ name, title }) => (
                <option key={name} value={`preset:${name}`}>
                  {title}
                </option>
              ))}
            </optgroup>
          </select>
        </label>
      </div>
      {isOwn ? (
        <OwnMapping folder={start.folder} onPick={(path) => onChange({ mapping: `file:${path}` })} />
      ) : null}
    </section>
  );
}

function headlineOf(mapping: WorkView['mapping']): string {
  if (mapping?.kind === 'preset') return `This is ${mapping.title}. Its columns are known.`;
  if (mapping?.kind === 'file') return `Your mapping ${mapping.title} reads this file.`;
  return 'No known platform writes this file. The next screen suggests a field for each column.';
}

/** Asks for the path of a mapping that the user has. */
function OwnMapping({
  folder,
  onPick,
}: {
  readonly folder: string;
  readonly onPick: (path: string) => void;
}) {
  const [path, setPath] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onPick(path.trim());
      }}
    >
      <label class="field grow">
        <span>
          Path of your mapping below <bdi>{folder}</bdi>
        </span>
        <input
          ref={input}
          value={path}
          onInput={(event) => setPath(event.currentTarget.value)}
          placeholder="products.mapping.yaml"
          spellcheck={false}
        />
      </label>
      <button type="submit" class="field" disabled={path.trim() === ''}>
        Use it
      </button>
    </form>
  );
}
