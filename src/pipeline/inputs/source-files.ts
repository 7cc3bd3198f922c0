import type { SourceFile } from '../../ledger/index.ts';
import type { Source } from '../../read/index.ts';
import { openLook } from '../look/look.ts';
import { emptyRowsIn } from './empty-rows.ts';
import type { ImportInputs, InputFile } from './inputs.ts';

/** The facts about each file for the ledger. A file that was not read to its end may have no digest. */
export function sourceFiles(
  files: readonly InputFile[],
  { offset, limit }: { readonly offset: number; readonly limit?: number | undefined },
  known: readonly SourceFile[] = [],
): SourceFile[] {
  // A rule that did not apply in one part may still apply in the rest.
  const isPart = offset > 0 || limit !== undefined;
  return files.map(
    ({ source, binding, skipped, emptyRows, suspicions, mappingWarnings, look, missed }, index) => {
      const sha256 = known[index]?.sha256 ?? source.digest();
      const suspicious = suspicions.all();
      const warnings = mappingWarnings.all();
      const looked = openLook(look);
      const rules = isPart ? [] : binding.ruleUses();
      return {
        file: source.table.file,
        ...known[index],
        reading: source.reading(),
        ...(sha256 === undefined ? {} : { sha256 }),
        ...(binding.isSkipped ? { skippedRows: skipped.rows } : {}),
        ...leftOutIn(source),
        ...emptyRowsIn(emptyRows),
        ...(binding.unused.length > 0 ? { unused: binding.unused } : {}),
        ...(missed && missed.length > 0 ? { missed } : {}),
        ...(suspicious.length > 0 ? { suspicious } : {}),
        ...(rules.length > 0 ? { rules } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(looked.records > 0 ? { look: looked } : {}),
      };
    },
  );
}

/** The part of a run's facts about rows that the options left out; no field if they leave out none. */
export function leftOutIn({ leftOutRows }: Pick<Source, 'leftOutRows'>): Pick<SourceFile, 'leftOutRows'> {
  return leftOutRows === undefined ? {} : { leftOutRows: leftOutRows() };
}

export function fileNames({ files }: ImportInputs): string[] {
  return files.map(({ source }) => source.table.file);
}
