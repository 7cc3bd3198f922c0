import type { Mark } from '../ledger/index.ts';
import {
  type Binding,
  bind,
  hasIdColumn,
  type Mapping,
  namedMapping,
  recogniseMapping,
  withConstants,
} from '../map/index.ts';
import { ConfigError, type Issue, type Table } from '../model/index.ts';
import type { Mode } from '../plan/index.ts';
import { openCsv, type ReadOptions, type Source } from '../read/index.ts';
import type { Resource } from '../resources/index.ts';
import { requiredFields } from '../validate/index.ts';
import { type LookupTables, readLookups } from './lookups.ts';

/** A source file with the mapping that reads it. */
export interface Input {
  readonly source: Source;
  readonly binding: Binding;
}

export interface BindOptions {
  readonly resource: Resource;
  /** Preset or file; left out, the header decides. */
  readonly mapping?: string | undefined;
  readonly mode: Mode;
  readonly constants: Readonly<Record<string, string>>;
  /** Whether earlier runs know records of this resource: these are updates, which need no more than they change. */
  readonly anythingKnown?: boolean | undefined;
}

export interface OpenInputsOptions extends BindOptions {
  readonly files: readonly string[];
  readonly read: Pick<ReadOptions, 'delimiter' | 'quote'>;
  readonly onWarning: (warning: Issue) => void;
  readonly interrupted?: AbortSignal | undefined;
  /** Where to read on: files before that one are not read at all. */
  readonly from?: Mark | undefined;
}

/** A mapping tied to tables that have the same columns. */
export interface Bound {
  readonly mapping: Mapping;
  /** One for each table. */
  readonly bindings: readonly Binding[];
  /** Of all tables: one errors.csv must be able to hold the rows of each. */
  readonly header: readonly string[];
  /** The files that the mapping looks things up in. */
  readonly tables: LookupTables;
  /** Fields that settings fill in when it comes to sending. */
  readonly suppliedLater: readonly string[];
}

/** What the files of one run have in common. */
export interface Inputs extends Omit<Bound, 'bindings'> {
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
        await openCsv(file, {
          ...options.read,
          onWarning: options.onWarning,
          interrupted: options.interrupted,
          from: options.from?.file === index ? options.from : undefined,
        }),
      );
    const { bindings, ...bound } = await bindTables(
      sources.map(({ table }) => table),
      options,
    );
    const inputs = sources.map((source, index) => ({ source, binding: bindings[index] as Binding }));
    return { ...bound, inputs };
  } catch (error) {
    await Promise.all(sources.map((source) => source.close()));
    throw error;
  }
}

/** Finds the mapping of tables and ties it to each. Throws ConfigError. */
export async function bindTables(tables: readonly Table[], options: BindOptions): Promise<Bound> {
  const { resource, mode, constants } = options;
  const suppliedLater = resource.fromSettings ?? [];
  const needed = requiredFields(resource, { partial: false, suppliedLater });
  const [first] = tables;
  if (!first) throw new ConfigError('Name at least one file.');
  refuseOtherHeaders(first, tables);
  const byKey = options.anythingKnown === true && mode !== 'create' && resource.update !== undefined;
  const found = options.mapping
    ? namedMapping(options.mapping, resource)
    : recogniseMapping(first, resource, needed, byKey);
  const { mapping, tables: lookupTables } = await readLookups(withConstants(found, constants));
  // Where rows can be updates, which fields one needs is found out row by row.
  const required = byKey || mayUpdate(resource, mode, first) ? [] : needed;
  const bindings = tables.map((table) => bind(mapping, table, required));
  return { mapping, bindings, header: first.header, tables: lookupTables, suppliedLater };
}

/** Whether rows of this file can be updates: they then need no more than what they change. */
export function mayUpdate({ update }: Resource, mode: Mode, table: Table): boolean {
  return mode === 'update' || (mode === 'upsert' && update !== undefined && hasIdColumn(table));
}

function refuseOtherHeaders(first: Table, tables: readonly Table[]): void {
  for (const table of tables)
    if (table.header.join('\n') !== first.header.join('\n'))
      throw new ConfigError(`${table.file} has other columns than ${first.file}.`, [
        'Files that are imported together need the same header; import these one after the other.',
      ]);
}
