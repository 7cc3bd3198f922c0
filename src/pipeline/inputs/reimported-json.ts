import { type KnownRun, runUnder } from '../../ledger/index.ts';
import { type Mapping, mappingAgain, runIn } from '../../map/index.ts';
import type { Table } from '../../model/index.ts';
import type { Source } from '../../read/index.ts';
import type { Resource } from '../../resources/index.ts';

/**
 * Decisions of an earlier run about JSON objects: the mapping, and the fields left out. Objects have no header, so both
 * are derived from the first objects of a file. Re-imported objects are a selection, so the earlier decisions apply.
 */
export interface Decided {
  readonly mapping: string;
  readonly leftOut: readonly string[];
}

export function decidedBy({ mappingName, files }: KnownRun): Decided {
  return { mapping: mappingName, leftOut: [...new Set(files.flatMap(({ leftOut = [] }) => leftOut))] };
}

/** Undefined if the file is no report of a run, or the ledger does not know that run. */
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

/** Applies the decisions to a table of objects. Returns any other table unchanged. */
export function tableAgain(table: Table, decided: Decided | undefined): Table {
  return decided && table.items ? { ...table, leftOut: decided.leftOut } : table;
}

/** The mapping that recognised the objects in the earlier run; undefined if the user named one. */
export function recognisedThen(
  decided: Decided | undefined,
  table: Table,
  resource: Resource,
): Mapping | undefined {
  return decided && table.items ? mappingAgain(decided.mapping, table, resource) : undefined;
}
