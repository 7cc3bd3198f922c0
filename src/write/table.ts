import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { defuseLive, type JsonObject } from '../model/index.ts';
import type { AtomicFileOptions } from './atomic-file.ts';
import { type Column, type CsvForm, type CsvLineOptions, csvHeader, csvLine, csvText } from './csv-text.ts';
import { type Destination, openDestination } from './destination.ts';
import type { Sink } from './sink.ts';

export type TableFormat = 'csv' | 'json' | 'ndjson';

export interface TableOptions extends AtomicFileOptions {
  /** Writes cells unchanged that a spreadsheet would run as a formula. Default: they are defused. */
  readonly raw?: boolean | undefined;
  /** Path of a file that `openTable` wrote in this format, with these columns. Its content is copied first. */
  readonly appendTo?: string | undefined;
}

export interface TableShape extends CsvForm {
  readonly format: TableFormat;
  /** Ignored by JSON and NDJSON. */
  readonly columns: readonly Column[];
}

/** A file or a stream that takes items or rows in batches. Each `write` must be awaited before the next. */
export interface Writer<T> extends Omit<Sink, 'write'> {
  write(batch: readonly T[]): Promise<void>;
}

/**
 * Opens a CSV table for the cells of a source, under its header. Both are defused, unless the source had done so
 * already. Default of `delimiter`: a comma.
 */
export async function openRows(
  destination: Destination,
  header: readonly string[],
  { raw, delimiter, ...options }: TableOptions & CsvForm = {},
): Promise<Writer<readonly string[]>> {
  const names = raw ? header : header.map(defuseLive);
  const sink = await openCsv(destination, names, { ...options, delimiter });
  return writerOn(sink, (rows) => csvText(raw ? rows : rows.map((row) => row.map(defuseLive)), delimiter));
}

/**
 * Opens a table of items. CSV has a cell for each of `columns`. JSON (one array) and NDJSON (one item a line) contain
 * whole items.
 */
export async function openTable(
  destination: Destination,
  { format, columns, ...options }: TableOptions & TableShape,
): Promise<Writer<JsonObject>> {
  if (format === 'csv') {
    const header = columns.map(({ name }) => name);
    const { raw = false, delimiter } = options;
    return csvOn(await openCsv(destination, header, options), columns, { raw, delimiter });
  }
  const sink = await openDestination(destination, options);
  const copied = options.appendTo === undefined ? 0 : await copySoFar(sink, options.appendTo, format);
  return format === 'json' ? arrayOn(sink, copied > 0) : linesOn(sink);
}

async function openCsv(
  destination: Destination,
  header: readonly string[],
  { delimiter, bom, ...options }: TableOptions & CsvForm,
): Promise<Sink> {
  const sink = await openDestination(destination, options);
  if (options.appendTo === undefined) await sink.write((bom ? '\uFEFF' : '') + csvHeader(header, delimiter));
  else await copySoFar(sink, options.appendTo, 'csv');
  return sink;
}

function csvOn(sink: Sink, columns: readonly Column[], options: CsvLineOptions): Writer<JsonObject> {
  return writerOn(sink, (items) => {
    let lines = '';
    for (const item of items) lines += csvLine(columns, item, options);
    return lines;
  });
}

function linesOn(sink: Sink): Writer<JsonObject> {
  return writerOn(sink, (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}

function arrayOn(sink: Sink, hasItems: boolean): Writer<JsonObject> {
  let separator = hasItems ? ',\n' : '[\n';
  const array = writerOn<JsonObject>(sink, (items) => {
    let text = '';
    for (const item of items) {
      text += separator + JSON.stringify(item);
      separator = ',\n';
    }
    return text;
  });
  return {
    ...array,
    async commit() {
      await sink.write(separator === '[\n' ? EMPTY_ARRAY : ARRAY_END);
      await sink.commit();
    },
  };
}

/** Copies an earlier table into the sink. Returns the number of bytes. */
async function copySoFar(sink: Sink, path: string, format: TableFormat): Promise<number> {
  let copied = 0;
  try {
    for await (const bytes of tableSoFar(path, format)) {
      await sink.write(bytes);
      copied += bytes.length;
    }
    return copied;
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

function writerOn<T>(sink: Sink, text: (batch: readonly T[]) => string): Writer<T> {
  return {
    ...sink,
    write: async (batch) => {
      if (batch.length > 0) await sink.write(text(batch));
    },
  };
}

/** The end of an array; an array without items is `EMPTY_ARRAY`, see `openTable`. */
export const ARRAY_END = '\n]\n';

export const EMPTY_ARRAY = '[]\n';

/** Reads a table that was written before, without its end, so that items can be appended. Unpacks a compressed file. */
export async function* tableSoFar(path: string, format: TableFormat): AsyncGenerator<Buffer> {
  const end = format === 'json' ? ARRAY_END.length : 0;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytesOf(path)) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const cut = Math.max(0, bytes.length - end);
    if (cut > 0) yield bytes.subarray(0, cut);
    held = bytes.subarray(cut);
  }
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  if (!/\.gz$/i.test(path)) return yield* file;
  const unpacked = createGunzip();
  // An error of the pipeline destroys `unpacked`, which then throws it.
  pipeline(file, unpacked).catch(() => {});
  yield* unpacked;
}
