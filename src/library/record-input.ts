import { Readable } from 'node:stream';
import type { FormatOptions, SourceOptions } from '../pipeline/index.ts';

/** Objects to import: payloads, or rows that a mapping reads. Their fields are columns, nested ones by dotted paths. */
export type RecordObjects = AsyncIterable<object> | Iterable<object>;

/** Files to import, with the options of the reader; see the options of `storeport import`. */
export interface RecordFiles extends FormatOptions {
  /** Names of CSV, TSV, JSON or NDJSON files, gzipped or not, or of workbooks. */
  readonly files: readonly string[];
}

export type RecordInput = RecordObjects | RecordFiles;

/** Characters of JSON that are passed on at once. */
const CHUNK_CHARACTERS = 32 * 1024;

/** The input as the pipeline takes it. Objects become lines of JSON, so that their row number is their place, from 1. */
export function sourceOf(input: RecordInput): {
  readonly files: readonly string[];
  readonly read: FormatOptions;
  readonly stdin?: SourceOptions['stdin'];
  readonly stdinName?: string;
} {
  if (!isIterable(input)) {
    const { files, ...read } = input;
    return { files, read };
  }
  const bytes = Readable.from(linesOf(input), { objectMode: false });
  return { files: ['-'], read: { format: 'ndjson' }, stdinName: 'records', stdin: () => bytes };
}

export function isIterable(input: RecordInput): input is RecordObjects {
  return Symbol.asyncIterator in input || Symbol.iterator in input;
}

async function* linesOf(records: RecordObjects): AsyncGenerator<string> {
  let chunk = '';
  for await (const record of records) {
    // JSON has no undefined: such a record becomes a row with an issue.
    chunk += `${JSON.stringify(record) ?? 'null'}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
