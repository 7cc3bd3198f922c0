import { useState } from 'preact/hooks';

interface FilterLine {
  readonly name: string;
  readonly value: string;
}

/** Filters as lines that count as they are typed. A line without a value does not count. */
export function ExportFilters({
  names,
  filters,
  onFilters,
}: {
  readonly names: readonly string[];
  /** `name=value` */
  readonly filters: readonly string[];
  readonly onFilters: (filters: readonly string[]) => void;
}) {
  const [lines, setLines] = useState<readonly FilterLine[]>(() =>
    filters.map((filter) => ({
      name: filter.slice(0, filter.indexOf('=')),
      value: filter.slice(filter.indexOf('=') + 1),
    })),
  );
  const change = (next: readonly FilterLine[]) => {
    setLines(next);
    onFilters(
      next.filter(({ value }) => value.trim() !== '').map(({ name, value }) => `${name}=${value.trim()}`),
    );
  };
  const put = (at: number, line: FilterLine) => change(lines.map((each, n) => (n === at ? line : each)));
  return (
    <div class="filters">
      {lines.map((line, n) => (
        <div key={n} class="filter">
          <select
            aria-label={`Filter ${n + 1}: name`}
            value={line.name}
            onChange={({ currentTarget }) => put(n, { ...line, name: currentTarget.value })}
          >
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <span>is</span>
          <input
            aria-label={`Filter ${n + 1}: value`}
            value={line.value}
            onInput={({ currentTarget }) => put(n, { ...line, value: currentTarget.value })}
          />
          <button
            type="button"
            class="plain"
            aria-label={`Remove the filter ${n + 1}`}
            onClick={() => change(lines.filter((_, at) => at !== n))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => setLines([...lines, { name: names[0] ?? '', value: '' }])}>
        Add a filter
      </button>
    </div>
  );
}
