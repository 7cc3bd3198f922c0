import type { SourceFile } from '../../ledger/index.ts';
import type { FileBinding } from '../../map/index.ts';
import { HELD, type ReadFormat, type Row, type Table } from '../../model/index.ts';
import { headerCures, type Reread, type Source } from '../../read/index.ts';
import { createSuspicions, garbledNames, inspector } from '../../suspect/index.ts';
import { createLook } from '../look/look.ts';
import { bindTables, namedIn } from './bind-tables.ts';
import { carriedDown } from './carry-down.ts';
import { countEmptyRows, type EmptyRowCount, withoutEmptyRows } from './empty-rows.ts';
import type {
  ImportInputs,
  InputFile,
  InputsState,
  InputsWatcher,
  OpenInputsOptions,
  SourceOptions,
} from './inputs.ts';
import { createMappingWarnings } from './mapping-warnings.ts';
import { addMissedColumns } from './missed-columns.ts';
import { earlierChoiceFor, withLeftOut } from './reimported-json.ts';
import { withoutSkipped } from './skip-rows.ts';
import { openByMapping } from './source-rules.ts';
import { widen } from './united-columns.ts';
import { warningsOf } from './warnings.ts';

/**
 * Opens the files, reads their headers and binds the mapping to them. Every mistake in a command is found here, before
 * the first request to a store. Throws ConfigError after closing every file again.
 */
export async function openInputs(options: OpenInputsOptions): Promise<ImportInputs> {
  const sources: Source[] = [];
  const named = namedIn(options);
  try {
    for (const [index, file] of options.files.entries()) {
      const read = {
        ...options.read,
        name: options.names?.[index] ?? (file === '-' ? options.stdinName : undefined),
        stdin: options.stdin,
        onWarning: options.onWarning,
        interrupted: options.interrupted,
        from: options.from?.file === index ? options.from : undefined,
      };
      sources.push(await openByMapping(file, read, named));
    }
    for (const { table } of sources) warnOfNames(table, options.onWarning);
    const choices = await Promise.all(
      sources.map((source) => earlierChoiceFor(source, options.resource, options)),
    );
    const { bindings, tables, ...bound } = await bindTables(
      sources.map(({ table }, index) => withLeftOut(table, choices[index])),
      {
        ...{ ...options, named },
        earlierChoice: choices[0],
        suggestions: () => sources.flatMap(headerCures),
      },
    );
    for (const [index, { rules = [] }] of (options.counted ?? []).entries())
      bindings[index]?.ruleUse?.forEach((_, rule, ruleUse) => {
        ruleUse[rule] = rules[rule]?.use ?? HELD;
      });
    const inputs = sources.map((source, index) =>
      inputOf(widen(source, tables[index] as Table), bindings[index] as FileBinding, {
        counted: options.counted?.[index],
        allColumns: options.keepColumns === true,
        resource: options.resource.name,
      }),
    );
    // A resumed run has warned already; with `keepColumns` nothing is left out.
    const notesMissed = options.from === undefined && options.keepColumns !== true;
    const { resource } = options;
    return {
      ...bound,
      files: notesMissed ? await addMissedColumns(inputs, resource) : inputs,
    };
  } catch (error) {
    await Promise.all(sources.map((source) => source.close()));
    throw error;
  }
}

/**
 * The rows of a sample as if they were all of a file, with the mapping bound to them. Throws ConfigError if there is no
 * mapping, or if it does not fit.
 */
export async function inputsOfRows(
  {
    table,
    rows,
    reading,
  }: { readonly table: Table; readonly rows: readonly Row[]; readonly reading: ReadFormat },
  options: SourceOptions,
): Promise<ImportInputs> {
  const { bindings, tables, ...bound } = await bindTables([table], options);
  async function* batches(): AsyncGenerator<Row[]> {
    yield [...rows];
  }
  const source: Source = {
    ...{ table: tables[0] ?? table, batches: batches(), size: undefined },
    reading: () => reading,
    bytesRead: () => 0,
    digest: () => undefined,
    close: async () => {},
  };
  return {
    ...bound,
    files: [
      inputOf(source, bindings[0] as FileBinding, { allColumns: false, resource: options.resource.name }),
    ],
  };
}

/** Warns of garbled column names. They may be why no mapping is found, so it is called before the search. */
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
  binding: FileBinding,
  {
    counted = {},
    allColumns,
    resource,
  }: {
    readonly counted?: Partial<SourceFile> | undefined;
    readonly allColumns: boolean;
    readonly resource: string;
  },
): InputFile {
  const emptyRows = countEmptyRows(counted.emptyRows);
  const rowsOf = (opened: Source, count: EmptyRowCount) =>
    withoutSkipped(carriedDown(withoutEmptyRows(opened, count).batches, binding), binding);
  const { batches, skipped } = rowsOf(source, emptyRows);
  const { reread } = source;
  async function* again({ open }: Reread): AsyncGenerator<readonly Row[]> {
    yield* rowsOf(await open(), countEmptyRows()).batches;
  }
  return {
    source: { ...source, batches },
    again: reread && (() => again(reread)),
    ...{ binding, skipped, emptyRows },
    inspect: inspector(source.table, allColumns ? [] : binding.unused),
    suspicions: createSuspicions(counted.suspicious),
    mappingWarnings: createMappingWarnings(counted.warnings),
    look: createLook(resource, counted.look),
  };
}

/** Opens the files of a run, and gives the warnings about them before the run begins. */
export async function openForCommand(
  options: SourceOptions & InputsState & { readonly watch: InputsWatcher },
): Promise<ImportInputs> {
  const inputs = await openInputs({
    ...options,
    onWarning: ({ origin, message }) =>
      options.watch.warned(origin && options.files.length > 1 ? `${origin.file}: ${message}` : message),
  });
  options.watch.opened(inputs);
  for (const warning of warningsOf(options, inputs)) options.watch.warned(warning);
  return inputs;
}

export async function close({ files }: ImportInputs): Promise<void> {
  await Promise.all(files.map(({ source }) => source.close()));
}
