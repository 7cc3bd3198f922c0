import { ConfigError } from '../model/index.ts';
import { type ListEndpoint, nativeColumns, REST_COLUMN, type Resource } from '../resources/index.ts';

/**
 * `["status=abandoned"]` → the query that the API understands, such as `{ field3: "abandoned" }`.
 * Throws ConfigError for what the API cannot filter by.
 */
export function filterQuery(
  resource: Resource,
  list: ListEndpoint,
  filters: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    filters.map((filter) => {
      const at = filter.indexOf('=');
      const name = filter.slice(0, Math.max(0, at));
      const parameter = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;
      if (parameter !== undefined) return [parameter, filter.slice(at + 1)];
      const names = Object.keys(list.filters);
      const known =
        names.length === 0
          ? `the API cannot filter ${resource.name}`
          : `${resource.name} can be filtered by ${names.join(', ')}`;
      throw new ConfigError(
        `--filter ${filter}: ${known}.`,
        names.length === 0 ? [] : [`For example --filter ${names[0]}=…`],
      );
    }),
  );
}

/** The columns that the user named, each of which the resource must have, or `*`. Throws ConfigError. */
export function chosenColumns(resource: Resource, names: string | undefined): readonly string[] {
  const columns = nativeColumns(resource);
  if (names === undefined) return columns;
  const chosen = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = chosen.filter(
    (name) => name !== REST_COLUMN && !columns.some((column) => overlaps(column, name)),
  );
  if (chosen.length === 0 || unknown.length > 0)
    throw new ConfigError(`--columns ${names}: ${resource.name} have no "${unknown[0] ?? ''}".`, [
      `There are: ${columns.join(', ')}; and ${REST_COLUMN} for all that no other column shows.`,
    ]);
  return chosen;
}

/** A column may be asked for as a whole (`product`), or a field inside a JSON cell (`details.0`). */
function overlaps(column: string, name: string): boolean {
  return column === name || column.startsWith(`${name}.`) || name.startsWith(`${column}.`);
}
