import {
  bind,
  hasIdColumn,
  type Mapping,
  namedMapping,
  recogniseJoined,
  recogniseMapping,
  withConstants,
} from '../../map/index.ts';
import { ConfigError, type Table } from '../../model/index.ts';
import type { Mode } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import { requiredFields } from '../../validate/index.ts';
import type { BindOptions, BoundMapping, MappingChoice } from './inputs.ts';
import { readLookups } from './lookups.ts';
import { earlierMapping } from './reimported-json.ts';
import { haveOneHeader, otherHeader, uniteTables } from './united-columns.ts';

/** Finds the mapping for tables and binds it to each. Throws ConfigError if there is none, or if it does not fit. */
export async function bindTables(tables: readonly Table[], options: BindOptions): Promise<BoundMapping> {
  const { resource, mode, constants, imageBase, country } = options;
  const suppliedLater = resource.fromSettings ?? [];
  const needed = requiredFields(resource, { partial: false, suppliedLater });
  const [first] = tables;
  if (!first) throw new ConfigError('Name at least one file.');
  const byKey = options.hasHistory === true && mode !== 'create' && resource.update !== undefined;
  const found =
    options.named ??
    namedIn(options) ??
    withHints(options.suggestions, () => {
      if (!haveOneHeader(tables)) return recogniseJoined(tables, resource) ?? refuseHeaders(tables);
      const earlier = earlierMapping(options.earlierChoice, first, resource);
      return earlier ?? recogniseMapping(first, resource, { required: needed, byKey });
    });
  const { mapping, tables: lookups } = await readLookups(
    { ...withConstants(found, constants), imageBase, country },
    options.lookupFolders,
  );
  const united = withHints(options.suggestions, () => uniteTables(tables, mapping));
  // If rows can be updates, required fields are checked row by row.
  const required = byKey || mayUpdate(resource, mode, first) ? [] : needed;
  const bindings = withHints(options.suggestions, () =>
    united.map((table) => bind(mapping, table, required)),
  );
  const updatesById = mode !== 'create' && resource.update !== undefined && united.some(hasIdColumn);
  const header = united[0]?.header ?? [];
  return { ...{ mapping, lookups, bindings, header, suppliedLater, updatesById }, tables: united };
}

/** The mapping that the options name; undefined if the header decides. Throws ConfigError if it is wrong. */
export function namedIn({ mapping, mappingText, resource }: MappingChoice): Mapping | undefined {
  return mapping ? namedMapping(mapping, resource, mappingText) : undefined;
}

/** True if rows of this file can be updates, which need only the fields that they change. */
export function mayUpdate({ update }: Resource, mode: Mode, table: Table): boolean {
  return mode === 'update' || (mode === 'upsert' && update !== undefined && hasIdColumn(table));
}

/** Puts suggestions before the hints of a ConfigError. The header is at fault, so they may be what is wrong. */
function withHints<T>(suggestions: BindOptions['suggestions'], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.message, [...(suggestions?.() ?? []), ...error.hints], error.reason);
  }
}

function refuseHeaders(tables: readonly Table[]): never {
  throw otherHeader(tables);
}
