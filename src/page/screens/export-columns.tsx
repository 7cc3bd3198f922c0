import { useState } from 'preact/hooks';

/** Columns of a CSV file: which, and in which order. `undefined` is all, as the resource has them. */
export function ExportColumns({
  all,
  chosen,
  onColumns,
}: {
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly onColumns: (columns: readonly string[] | undefined) => void;
}) {
  const [said, setSaid] = useState('');
  const rest = all.filter((name) => !chosen.includes(name));
  const change = (next: readonly string[]) => {
    if (next.length === 0) return;
    const isNative = next.length === all.length && next.every((name, n) => name === all[n]);
    onColumns(isNative ? undefined : next);
  };
  const move = (name: string, by: -1 | 1) => {
    const from = chosen.indexOf(name);
    const next = chosen.filter((each) => each !== name);
    next.splice(from + by, 0, name);
    change(next);
    setSaid(`${name} is number ${from + by + 1} of ${chosen.length}.`);
  };
  return (
    <details class="export-columns">
      <summary>
        {rest.length === 0 ? `All ${all.length} columns` : `${chosen.length} of ${all.length} columns`}
      </summary>
      <p class="row">
        <button type="button" class="plain" onClick={() => onColumns(undefined)}>
          All, in the usual order
        </button>
      </p>
      <ol>
        {[...chosen, ...rest].map((name) => {
          const at = chosen.indexOf(name);
          return (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  checked={at >= 0}
                  disabled={at >= 0 && chosen.length === 1}
                  onChange={({ currentTarget }) =>
                    change(currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
                  }
                />
                {name}
              </label>
              {at >= 0 ? (
                <span>
                  <button
                    type="button"
                    class="plain"
                    aria-label={`Move ${name} up`}
                    disabled={at === 0}
                    onClick={() => move(name, -1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    class="plain"
                    aria-label={`Move ${name} down`}
                    disabled={at === chosen.length - 1}
                    onClick={() => move(name, 1)}
                  >
                    ↓
                  </button>
                </span>
              ) : null}
            </li>
          );
        })}
      </ol>
      <p class="spoken" role="status">
        {said}
      </p>
    </details>
  );
}
