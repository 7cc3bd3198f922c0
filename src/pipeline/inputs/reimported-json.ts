import { type KnownRun, runUnder } from '../../ledger/index.ts';
import { type Mapping, mappingAgain, runIn } from '../../map/index.ts';
import type { Table } from '../../model/index.ts';
import type { Source } from '../../read/index.ts';
import type { Resource } from '../../resources/index.ts';

/**
 * Objects have no header: what they are, the first of their file tell. Those that come back from a run are a selection, so what
 * was decided then counts: the mapping, and what is left out.
 */
export interface Decided {
  readonly mapping: string;
  readonly leftOut: readonly string[];
}

export function decidedBy({ mappingName, files }: KnownRun): Decided {
  return { mapping: mappingName, leftOut: [...new Set(files.flatMap(({ leftOut = [] }) => leftOut))] };
}

/** Undefined where the file is no report that comes back, or the ledger does not know its run. */
export function decidedAbout(
  { table, firstRow }: Source,
  resource: Resource,
  home: string | undefined,
): Decided | undefined {
  if (table.items === undefined || firstRow === undefined || home === undefined) return undefined;
  const id = runIn(firstRow);
  const run = id && runUnder(home, id);
  return run && run.resource === resource.name ? decidedBy(run) : undefined;
}

/** A table of objects with what was decided about them; any other is as it was. */
export function tableAgain(table: Table, decided: Decided | undefined): Table {
  return decided && table.items ? { ...table, leftOut: decided.leftOut } : table;
}

/** The mapping that recognised the objects then; undefined where it was the user who named one. */
export function recognisedThen(
  decided: Decided | undefined,
  table: Table,
  resource: Resource,
): Mapping | undefined {
  return decided && table.items ? mappingAgain(decided.mapping, table, resource) : undefined;
}
