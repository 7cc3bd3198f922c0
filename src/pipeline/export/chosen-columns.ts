import { ConfigError } from '../../model/index.ts';
import { nativeColumns, REST_COLUMN, type Resource } from '../../resources/index.ts';

/** Parses the columns that the user named. Throws ConfigError if the resource lacks one that is not `*`. */
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

/** True if a name selects a whole column (`product`), or a field inside a JSON cell (`details.0`). */
function overlaps(column: string, name: string): boolean {
  return column === name || column.startsWith(`${name}.`) || name.startsWith(`${column}.`);
}
