import type { Mark } from '../ledger/index.ts';
import {
  type Binding,
  bind,
  hasIdColumn,
  type Mapping,
  type MissedColumns,
  namedMapping,
  recogniseJoined,
  recogniseMapping,
  withConstants,
} from '../map/index.ts';
import {
  ConfigError,
  type EmptyRows,
  HELD,
  type Issue,
  type OpenMappingWarning,
  type OpenSuspicion,
  type Row,
  type RuleUse,
  type Table,
} from '../model/index.ts';
import type { Mode } from '../plan/index.ts';
import { openSource, type ReadOptions, type Reread, type Source } from '../read/index.ts';
import type { Resource } from '../resources/index.ts';
import {
  createSuspicions,
  garbledNames,
  inspector,
  type Suspect,
  type Suspicions,
} from '../suspect/index.ts';
import { requiredFields } from '../validate/index.ts';
import { type Decided, decidedAbout, recognisedThen, tableAgain } from './decided.ts';
import { countEmptyRows, type EmptyRowCount, withoutEmptyRows } from './empty-rows.ts';
import { haveOneHeader, otherHeader, uniteTables, widen } from './joined.ts';
import { type LookupTables, readLookups } from './lookups.ts';
import { createMappingWarnings, type MappingWarnings } from './mapping-warnings.ts';
import { lookForMissed } from './missed.ts';
import { type Skipping, withoutSkipped } from './skipped.ts';

/** A source file with the mapping that reads it. */
export interface Input {
  readonly source: Source;
  /** Its rows once more, from the first; undefined for what can be read once only. Their table is another object. */
  readonly again?: (() => AsyncIterable<readonly Row[]>) | undefined;
  readonly binding: Binding;
  /** Of the rows that the mapping leaves out. */
  readonly skipped: Skipping;
  readonly emptyRows: EmptyRowCount;
  /** Looks for damage in its rows; what is found is kept in `suspicions`. */
  readonly inspect: (row: Row) => readonly Suspect[];
  readonly suspicions: Suspicions;
  /** What the mapping says about its records. */
  readonly mappingWarnings: MappingWarnings;
  /** Columns of data that a shop would miss, and that the preset leaves out. */
  readonly missed?: readonly MissedColumns[];
}

export interface BindOptions {
  readonly resource: Resource;
  /** Preset or file; left out, the header decides. */
  readonly mapping?: string | undefined;
  readonly mode: Mode;
  readonly constants: Readonly<Record<string, string>>;
  /** Web address of the folder in which images lie that have a path only. */
  readonly imageBase?: string | undefined;
  /** Folders in which the mapping may look things up, beside its own. */
  readonly lookupFolders?: readonly string[] | undefined;
  /** Whether earlier runs know records of this resource: these are updates, which need no more than they change. */
  readonly anythingKnown?: boolean | undefined;
  /** About objects that come back from a run. */
  readonly decided?: Decided | undefined;
}

export interface OpenInputsOptions extends BindOptions {
  readonly files: readonly string[];
  /** What these are called in messages, where that is not their path: a run that goes on knows them by what the user wrote. */
  readonly names?: readonly string[] | undefined;
  readonly read: Pick<ReadOptions, 'format' | 'encoding' | 'delimiter' | 'quote'>;
  readonly onWarning: (warning: Issue) => void;
  readonly interrupted?: AbortSignal | undefined;
  /** Where to read on: files before that one are not read at all. */
  readonly from?: Mark | undefined;
  /** What was suspect in each file when an earlier execution of the run read it. */
  readonly suspected?: readonly (readonly OpenSuspicion[] | undefined)[];
  /** The empty rows that it counted in each. */
  readonly emptyBefore?: readonly (EmptyRows | undefined)[];
  /** Which rules applied in each file then; for a file without any, nobody knows. */
  readonly rulesBefore?: readonly (readonly RuleUse[])[];
  /** What the mapping said about each file's records then. */
  readonly warned?: readonly (readonly OpenMappingWarning[] | undefined)[];
  /** Whether columns matter that the mapping does not use. */
  readonly keepColumns?: boolean;
  /** Folder of the ledger, which knows what was decided about objects that come back. */
  readonly home?: string | undefined;
}

/** A mapping tied to tables that have the same columns. */
export interface Bound {
  readonly mapping: Mapping;
  /** With the columns of all of them. */
  readonly tables: readonly Table[];
  /** One for each table. */
  readonly bindings: readonly Binding[];
  /** Of all tables: one errors.csv must be able to hold the rows of each. */
  readonly header: readonly string[];
  /** The files that the mapping looks things up in. */
  readonly lookups: LookupTables;
  /** Fields that settings fill in when it comes to sending. */
  readonly suppliedLater: readonly string[];
  /** Rows with an identifier in the column `_id` update that record. */
  readonly updatesById: boolean;
}

/** What the files of one run have in common. */
export interface Inputs extends Omit<Bound, 'bindings' | 'tables'> {
  readonly inputs: readonly Input[];
}

/**
 * Opens the files, reads their headers and ties the mapping to them: all that can be wrong with a command is found
 * here, before a store is asked anything. Throws ConfigError, with every file closed again.
 */
export async function openInputs(options: OpenInputsOptions): Promise<Inputs> {
  const sources: Source[] = [];
  try {
    for (const [index, file] of options.files.entries())
      sources.push(
        await openSource(file, {
          ...options.read,
          name: options.names?.[index],
          onWarning: options.onWarning,
          interrupted: options.interrupted,
          from: options.from?.file === index ? options.from : undefined,
        }),
      );
    for (const { table } of sources) warnOfNames(table, options.onWarning);
    const decided = sources.map((source) => decidedAbout(source, options.resource, options.home));
    const { bindings, tables, ...bound } = await bindTables(
      sources.map(({ table }, index) => tableAgain(table, decided[index])),
      { ...options, decided: decided[0] },
    );
    for (const [index, rules] of (options.rulesBefore ?? []).entries())
      bindings[index]?.held?.forEach((_, rule, held) => {
        held[rule] = rules[rule]?.use ?? HELD;
      });
    const inputs = sources.map((source, index) =>
      inputOf(widen(source, tables[index] as Table), bindings[index] as Binding, {
        emptyRows: countEmptyRows(options.emptyBefore?.[index]),
        earlier: options.suspected?.[index],
        warned: options.warned?.[index],
        allColumns: options.keepColumns === true,
      }),
    );
    // A run that is resumed has said it; with `keepColumns` nothing is left out.
    const isToBeSaid = options.from === undefined && options.keepColumns !== true;
    const { resource } = options;
    return {
      ...bound,
      inputs: isToBeSaid ? await lookForMissed(inputs, { resource, mapping: bound.mapping.name }) : inputs,
    };
  } catch (error) {
    await Promise.all(sources.map((source) => source.close()));
    throw error;
  }
}

/** Said before a mapping is looked for, which may find none because of it. */
function warnOfNames(table: Table, onWarning: OpenInputsOptions['onWarning']): void {
  const names = garbledNames(table);
  if (names.length === 0) return;
  const shown = names.map(({ found, meant }) => `"${found}" for "${meant}"`).join(', ');
  onWarning({
    code: 'decoded-twice',
    message: `Names of columns were decoded twice: ${shown}. Export the file again as UTF-8, with no other program in between.`,
    origin: { file: table.file, row: 1, line: 1 },
  });
}

function inputOf(
  source: Source,
  binding: Binding,
  {
    emptyRows,
    earlier,
    warned,
    allColumns,
  }: {
    readonly emptyRows: EmptyRowCount;
    readonly earlier?: readonly OpenSuspicion[] | undefined;
    readonly warned?: readonly OpenMappingWarning[] | undefined;
    readonly allColumns: boolean;
  },
): Input {
  const { batches, skipped } = withoutSkipped(withoutEmptyRows(source, emptyRows).batches, binding);
  const { reread } = source;
  async function* again({ open }: Reread): AsyncGenerator<readonly Row[]> {
    yield* withoutSkipped(withoutEmptyRows(await open(), countEmptyRows()).batches, binding).batches;
  }
  return {
    source: { ...source, batches },
    again: reread && (() => again(reread)),
    ...{ binding, skipped, emptyRows },
    inspect: inspector(source.table, allColumns ? [] : binding.unused),
    suspicions: createSuspicions(earlier),
    mappingWarnings: createMappingWarnings(warned),
  };
}

/** Finds the mapping of tables and ties it to each. Throws ConfigError. */
export async function bindTables(tables: readonly Table[], options: BindOptions): Promise<Bound> {
  const { resource, mode, constants, imageBase } = options;
  const suppliedLater = resource.fromSettings ?? [];
  const needed = requiredFields(resource, { partial: false, suppliedLater });
  const [first] = tables;
  if (!first) throw new ConfigError('Name at least one file.');
  const byKey = options.anythingKnown === true && mode !== 'create' && resource.update !== undefined;
  const found = options.mapping
    ? namedMapping(options.mapping, resource)
    : haveOneHeader(tables)
      ? (recognisedThen(options.decided, first, resource) ?? recogniseMapping(first, resource, needed, byKey))
      : recogniseJoined(tables, resource);
  if (!found) throw otherHeader(tables);
  const { mapping, tables: lookups } = await readLookups(
    { ...withConstants(found, constants), imageBase },
    options.lookupFolders,
  );
  const united = uniteTables(tables, mapping);
  // Where rows can be updates, which fields one needs is found out row by row.
  const required = byKey || mayUpdate(resource, mode, first) ? [] : needed;
  const bindings = united.map((table) => bind(mapping, table, required));
  const updatesById = mode !== 'create' && resource.update !== undefined && united.some(hasIdColumn);
  const header = united[0]?.header ?? [];
  return { ...{ mapping, lookups, bindings, header, suppliedLater, updatesById }, tables: united };
}

/** Whether rows of this file can be updates: they then need no more than what they change. */
export function mayUpdate({ update }: Resource, mode: Mode, table: Table): boolean {
  return mode === 'update' || (mode === 'upsert' && update !== undefined && hasIdColumn(table));
}
