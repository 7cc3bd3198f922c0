import { basename } from 'node:path';
import { ConfigError, ownValue, shownWord } from '../model/index.ts';
import type { TableFormat } from './table.ts';

/** The format of a file that is written, as its name says. */
export interface NamedFormat {
  readonly format: TableFormat;
  /** Delimiter that the name implies; undefined for other formats and names. */
  readonly delimiter?: string;
}

const CSV: NamedFormat = { format: 'csv' };
const TABS: NamedFormat = { format: 'csv', delimiter: '\t' };
const LINES: NamedFormat = { format: 'ndjson' };

/** By the ending of the name; `.gz` may follow each. */
const FORMATS: Readonly<Record<string, NamedFormat>> = {
  ...{ csv: CSV, txt: CSV, tsv: TABS, tab: TABS },
  ...{ json: { format: 'json' }, ndjson: LINES, jsonl: LINES },
};

/** Files that are being written have it, and are removed if their process has died. */
const RESERVED = /\.part$/i;

/** A file that is to be written. */
export interface FileToWrite {
  /** Undefined for standard output. */
  readonly name: string | undefined;
  /** The option that names the file, such as `--out`. */
  readonly option: string;
  /** The format that was asked for. */
  readonly asked?: TableFormat | undefined;
  /** The option that asks for a format, such as `--format`; undefined if there is none. */
  readonly formatOption?: string;
}

/**
 * Returns the format that was asked for, or else the format that the name implies. A name without an ending implies CSV.
 * Throws ConfigError for a name whose format is not written, since a file that is not what its name says cannot be opened, and for
 * one that storeport keeps for itself.
 */
export function formatOfName({ name, option, asked, formatOption }: FileToWrite): NamedFormat {
  const says = `${option} ${shownWord(name ?? '')}`;
  if (name !== undefined && RESERVED.test(name))
    throw new ConfigError(`${says}: storeport uses names that end in .part for unfinished files.`, [
      'Choose another name.',
    ]);
  const ending = name && /\.([a-z][a-z0-9]*)$/i.exec(basename(name).replace(/\.gz$/i, ''))?.[1];
  const named = ending ? ownValue(FORMATS, ending.toLowerCase()) : CSV;
  if (asked !== undefined) return { ...(named?.format === asked ? named : {}), format: asked };
  if (named === undefined)
    throw new ConfigError(`${says}: storeport writes no .${ending ?? ''} files.`, [
      'A name ends in .csv, .tsv, .txt, .json, .ndjson or .jsonl, and .gz may follow.',
      ...(formatOption === undefined
        ? []
        : [`Any other name needs the format beside it, such as ${formatOption} csv.`]),
    ]);
  return named;
}
