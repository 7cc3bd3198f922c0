import type { Table } from '../../model/index.ts';
import type { Mapping } from '../mapping.ts';
import { columnsOf } from '../rows/columns.ts';
import { withFamilies } from '../rows/families.ts';
import { columnsIn } from '../rows/used-columns.ts';

/**
 * The columns that each field is read from, its conditions included, by the dotted path of the field. `names`: of the
 * file's columns, as the result names them; fields inside objects by their paths.
 */
export function columnsByField(
  given: Mapping,
  table: Table,
  names: readonly string[],
): Map<string, readonly string[]> {
  const mapping = withFamilies(given, table);
  const { find } = columnsOf({ ...table, header: names }, mapping.aliases);
  const nameOf = (name: string) => names[find(name) ?? -1] ?? [];
  return new Map(
    mapping.fields.map((field) => [field.path.join('.'), [...new Set(columnsIn([field]).flatMap(nameOf))]]),
  );
}
