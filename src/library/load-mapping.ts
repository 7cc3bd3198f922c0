import { mappingText, parseMapping, presetNames } from '../map/index.ts';
import { ConfigError } from '../model/index.ts';
import type { FormatOptions } from '../pipeline/index.ts';
import { importable } from '../resources/index.ts';
import type { ImportableResource } from './schemas.ts';
import { resourceIn } from './store-options.ts';

/** A mapping that was checked. */
export interface LoadedMapping {
  /** Name of the preset, or path of the file; lookup files are beside it. */
  readonly name: string;
  readonly title: string;
  readonly resource: ImportableResource;
  /** Its text, YAML or JSON; undefined for a preset. */
  readonly text?: string | undefined;
  /** Target paths, in its order: `price.salePrice`. */
  readonly fields: readonly string[];
}

/** A mapping that is not in a file. */
export interface MappingText {
  /** Name for messages. A relative path of a lookup begins in its folder. */
  readonly name: string;
  /** YAML or JSON. */
  readonly text: string;
}

/** Loads and checks a preset, a mapping file or a text. Throws ConfigError, with line and column of each mistake. */
export function loadMapping(source: string | MappingText): LoadedMapping {
  const isText = typeof source !== 'string';
  const name = isText ? source.name : source;
  const text = isText ? source.text : mappingText(source);
  const { title, resource, fields } = parseMapping(name, text);
  return {
    name,
    title,
    resource: resource.name as ImportableResource,
    ...(!isText && presetNames().includes(source) ? {} : { text }),
    fields: fields.map(({ path }) => path.join('.')),
  };
}

/** A field of a suggested mapping. */
export interface SuggestedField {
  readonly field: string;
  readonly columns: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  /** Why a person should look at it; undefined if it is certain. */
  readonly doubt?: string | undefined;
}

/** A mapping for an unknown file. It passes `loadMapping`. */
export interface MappingSuggestion {
  readonly mapping: LoadedMapping;
  /** The mapping as YAML, with comments on what is uncertain. */
  readonly text: string;
  readonly fields: readonly SuggestedField[];
  /** Columns that were left out, with the reason. */
  readonly leftOut: readonly { readonly column: string; readonly why: string }[];
  /** Fields that the store requires and no column was found for. */
  readonly missing: readonly string[];
  /** Preset that reads the file already, if there is one. */
  readonly preset?: string | undefined;
  /** Records of the sample, and the number of them that are valid. */
  readonly sampledRecords: number;
  readonly validRecords: number;
}

export interface SuggestMappingOptions extends FormatOptions {
  /** Left out: the resource that fits the file best. */
  readonly resource?: ImportableResource | undefined;
  /** Ends it with the reason of the signal. A sample is small, so it is looked at before and after reading it. */
  readonly signal?: AbortSignal | undefined;
}

/** Suggests a mapping for a file from its columns and a sample of its cells. Throws ConfigError if nothing fits. */
export async function suggestMapping(
  file: string,
  { resource, signal, ...read }: SuggestMappingOptions = {},
): Promise<MappingSuggestion> {
  if (file === '-') throw new ConfigError('Name a file: standard input is not read here.');
  signal?.throwIfAborted();
  // The words of many languages are large.
  const { runSuggest } = await import('../pipeline/suggest/index.ts');
  const resources = resource === undefined ? importable : [resourceIn(resource, { purpose: 'create' })];
  const { text, draft, missing, preset, records, valid } = await runSuggest({ file, resources, read });
  signal?.throwIfAborted();
  return {
    mapping: loadMapping({ name: `${file}.yaml`, text }),
    text,
    fields: draft.fields.map(({ field, columns, score, doubt }) => ({
      field,
      columns,
      confidence: Number(score.toFixed(2)),
      doubt,
    })),
    leftOut: draft.leftOut.map(({ column, why }) => ({ column, why })),
    missing,
    preset,
    sampledRecords: records,
    validRecords: valid,
  };
}
