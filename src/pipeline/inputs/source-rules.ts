import type { SourceRules } from '../../map/index.ts';
import { statSync } from '../../model/files/fs.ts';
import { ConfigError, isOwnColumn, type ReadFormat } from '../../model/index.ts';
import { type FormatOptions, openSource, type ReadOptions, type Source } from '../../read/index.ts';

/** How a mapping says that its files are read. */
export interface MappingSource {
  /** Name of the mapping. */
  readonly name: string;
  readonly source?: SourceRules | undefined;
}

/**
 * Opens a file as its mapping says. Options that are given win. A report such as errors.csv is read as if the mapping said
 * nothing, since it has a form of its own. Throws ConfigError.
 */
export async function openByMapping(
  file: string,
  options: ReadOptions,
  mapping: MappingSource | undefined,
): Promise<Source> {
  const read = await readingBy(file, options, mapping?.source);
  try {
    return await openSource(file, read);
  } catch (error) {
    if (read === options || !(error instanceof ConfigError)) throw error;
    const hint = `The mapping ${mapping?.name} says under "source" how its files are read; options of the command line win over it.`;
    throw new ConfigError(error.message, [...error.hints, hint], error.reason);
  }
}

/** Adds the options of a mapping. Returns the same object if the mapping adds none to this file. */
export async function readingBy<Options extends FormatOptions>(
  file: string,
  options: Options,
  rules: SourceRules | undefined,
): Promise<Options> {
  if (rules === undefined || Object.keys(rules).length === 0 || (await isReport(file))) return options;
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...options, ...rules, ...given };
}

/** Standard input and pipes can be read only once, so they count as files of the shop. */
async function isReport(file: string): Promise<boolean> {
  if (file === '-' || !statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  try {
    const source = await openSource(file, { skipLines: 0 });
    await source.close();
    return source.table.header.some(isOwnColumn);
  } catch (error) {
    // Without the options of the mapping it may be no table at all.
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/** Returns the part of a mapping that says how to read this file again. */
export function sourceRules(
  { sheet, skipLines, noHeader, padRows, untilBlankRow, skipRows = [], ...given }: FormatOptions,
  reading: ReadFormat,
): SourceRules {
  const isChosen = sheet !== undefined || (reading.otherSheets ?? []).length > 0;
  return {
    sheet: isChosen ? reading.sheet : undefined,
    skipLines: skipLines ?? reading.skippedLines,
    noHeader: noHeader || undefined,
    padRows: padRows || undefined,
    ...{ encoding: given.encoding, delimiter: given.delimiter, quote: given.quote, rows: given.rows },
    skipRows: skipRows.length > 0 ? skipRows : undefined,
    untilBlankRow: untilBlankRow || undefined,
  };
}
