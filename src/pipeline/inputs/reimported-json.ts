import { type KnownRun, type LedgerSource, runUnder } from '../../ledger/index.ts';
import { type Mapping, mappingAgain, runIn } from '../../map/index.ts';
import type { Table } from '../../model/index.ts';
import type { Source } from '../../read/index.ts';
import type { Resource } from '../../resources/index.ts';

/**
 * The mapping and the fields left out that an earlier run chose for JSON objects. Objects have no header, so both are
 * derived from the first objects of a file. Re-imported objects are a selection, so the earlier choice applies.
 */
export interface EarlierChoice {
  readonly mapping: string;
  readonly leftOut: readonly string[];
}

export function choiceOf({ mappingName, files }: KnownRun): EarlierChoice {
  return { mapping: mappingName, leftOut: [...new Set(files.flatMap(({ leftOut = [] }) => leftOut))] };
}

/** Undefined if the file is no report of a run, or the ledger does not know that run. */
export async function earlierChoiceFor(
  { table, firstRow }: Source,
  resource: Resource,
  { home, ledger }: { readonly home?: string | undefined; readonly ledger?: LedgerSource | undefined },
): Promise<EarlierChoice | undefined> {
  if (table.items === undefined || firstRow === undefined || home === undefined) return undefined;
  const id = runIn(firstRow);
  const run = id && (ledger ? await runOf(ledger, id) : runUnder(home, id));
  return run && run.resource === resource.name ? choiceOf(run) : undefined;
}

async function runOf(source: LedgerSource, id: string): Promise<KnownRun | undefined> {
  const ledger = await source.open();
  try {
    return await ledger.find(id);
  } finally {
    await ledger.close();
  }
}

/** Marks the left-out fields of a table of objects. Returns any other table unchanged. */
export function withLeftOut(table: Table, choice: EarlierChoice | undefined): Table {
  return choice && table.items ? { ...table, leftOut: choice.leftOut } : table;
}

/** The mapping that recognised the objects in the earlier run; undefined if the user named one. */
export function earlierMapping(
  choice: EarlierChoice | undefined,
  table: Table,
  resource: Resource,
): Mapping | undefined {
  return choice && table.items ? mappingAgain(choice.mapping, table, resource) : undefined;
}
