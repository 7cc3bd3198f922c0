import { ConfigError, shownWord, suggestCommand } from '../../model/index.ts';
import { argumentsOf, FORMAT_OPTIONS } from '../../options/index.ts';
import type { FormatOptions } from '../../pipeline/index.ts';
import type { Resource } from '../../resources/index.ts';

interface UnknownFile {
  readonly resource: Resource;
  readonly files: readonly string[];
  readonly read: FormatOptions;
}

/**
 * Runs a command that reads files. If no mapping knows the first file, adds to the error what a suggestion finds, and
 * the command that writes it.
 */
export async function withSuggestion<Result>(
  work: () => Promise<Result>,
  about: UnknownFile,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError) || error.reason !== 'no-mapping') throw error;
    const lines = await suggestionFor(about);
    throw new ConfigError(error.message, [...error.hints, ...lines], error.reason);
  }
}

/** Standard input cannot be read a second time. */
async function suggestionFor({ resource, files: [file], read }: UnknownFile): Promise<string[]> {
  if (file === undefined || file === '-') return [];
  const { runSuggest } = await import('../../pipeline/suggest/index.ts');
  try {
    const { draft, records, valid } = await runSuggest({
      file,
      resources: [resource],
      read: argumentsOf(FORMAT_OPTIONS, read),
    });
    const found = draft.fields
      .slice(0, 5)
      .map(({ field, columns }) =>
        columns.length === 0 ? field : `${field} from ${columns.map(shownWord).join(', ')}`,
      );
    const more = draft.fields.length > found.length ? `, and ${draft.fields.length - found.length} more` : '';
    return [
      `A mapping can be suggested: ${found.join('; ')}${more}. ${valid} of ${records} records of a sample are valid with it.`,
      `Write it with: ${suggestCommand(resource.name, file)}`,
    ];
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
