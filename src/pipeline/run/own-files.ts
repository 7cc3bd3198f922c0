import { dirname, join } from 'node:path';
import type { Mapping } from '../../map/index.ts';
import { existsSync, resolve } from '../../model/files/fs.ts';
import { RUNS_FOLDER } from '../../model/index.ts';
import { REPORT_FILES, WORKBOOK_FILES } from '../../report/index.ts';
import { type NamedFile, refuseOverwriting } from '../../write/index.ts';

/** Files of a command that its outputs must not overwrite: those that it reads, and its log, which it writes. */
export interface CommandFiles {
  readonly written: readonly NamedFile[];
  readonly read: readonly NamedFile[];
  /** The folder of the ledger. */
  readonly home: string;
}

/** Folder of the reports of a run, unless the command names one. Relative to the working directory. */
export function reportsFolder(
  run: string,
  { runsFolder = RUNS_FOLDER }: { readonly runsFolder?: string | undefined } = {},
): string {
  return join(runsFolder, run);
}

/** The reports in the folder of a run, in each form: those of the other form are removed. */
export function reportsIn(folder: string): NamedFile[] {
  return [...Object.values(REPORT_FILES), ...Object.values(WORKBOOK_FILES)].map((name) => {
    const path = join(folder, name);
    return { path, says: `the report ${path}` };
  });
}

/** The files that a command reads: sources, mapping, and lookup files of the mapping. */
export function filesRead(
  { files, mapping }: { readonly files: readonly string[]; readonly mapping?: string | undefined },
  lookups: Mapping['lookups'] = [],
): NamedFile[] {
  return [
    ...files.map((path) => ({ path, says: path === '-' ? 'standard input' : `the source ${path}` })),
    ...(mapping !== undefined && existsSync(mapping)
      ? [{ path: mapping, says: `the mapping ${mapping}` }]
      : []),
    ...lookups.flatMap((table) =>
      'file' in table
        ? [
            {
              path: resolve(dirname(mapping ?? ''), table.file),
              says: `${table.file}, in which the mapping looks things up`,
            },
          ]
        : [],
    ),
  ];
}

/** Throws ConfigError if a run would overwrite a file that it reads. `out`: the folder of its reports. */
export function refuseLosses(
  {
    files,
    mapping,
    commandFiles,
  }: {
    readonly files: readonly string[];
    readonly mapping?: string | undefined;
    readonly commandFiles?: CommandFiles | undefined;
  },
  out: string,
  lookups?: Mapping['lookups'],
): void {
  refuseOverwriting(
    [...reportsIn(out), ...(commandFiles?.written ?? [])],
    [...filesRead({ files, mapping }, lookups), ...(commandFiles?.read ?? [])],
    commandFiles?.home,
  );
}
