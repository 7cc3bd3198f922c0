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

/** The error that the iterable of the records threw; without `cause` if it threw none. */
export interface InputFailure {
  cause?: unknown;
}

/** The input as the pipeline takes it. */
export interface InputSource {
  readonly files: readonly string[];
  readonly read: FormatOptions;
  readonly stdin?: SourceOptions['stdin'];
  readonly stdinName?: string;
}

/**
 * Makes the input for the pipeline. Objects become lines of JSON, so that their row number is their place, from 1. If the iterable
 * throws, the error is noted in `failure`, and the records before it are passed on.
 */
export function sourceOf(input: RecordInput, failure: InputFailure): InputSource {
  if (!isIterable(input)) {
    const { files, ...read } = input;
    return { files, read };
  }
  // A stream that fails drops what waits in it, so nothing waits there.
  const bytes = Readable.from(linesOf(input, failure), { objectMode: false, highWaterMark: 1 });
  return { files: ['-'], read: { format: 'ndjson' }, stdinName: 'records', stdin: () => bytes };
}

export function isIterable(input: RecordInput): input is RecordObjects {
  return Symbol.asyncIterator in input || Symbol.iterator in input;
}

async function* linesOf(records: RecordObjects, noted: InputFailure): AsyncGenerator<string> {
  let chunk = '';
  try {
    for await (const record of records) {
      chunk += `${lineOf(record)}\n`;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = '';
    }
  } catch (error) {
    noted.cause = error;
  }
  if (chunk !== '') yield chunk;
  if ('cause' in noted) throw noted.cause;
}

/** A record as JSON. One that JSON cannot hold becomes a row with an issue, and stops no other. */
function lineOf(record: unknown): string {
  try {
    return JSON.stringify(record, asJson) ?? 'null';
  } catch (error) {
    return JSON.stringify(`[no JSON: ${(error as Error).message}]`);
  }
}

/** Keeps numbers that JSON would drop or refuse as texts: a field of numbers then has an issue, and an identifier is whole. */
function asJson(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
