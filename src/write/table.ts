import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createReadStream } from '../model/files/fs.ts';
import type { JsonObject } from '../model/index.ts';
import type { AtomicFileOptions } from './atomic-file.ts';
import { type Column, type CsvForm, type CsvTextOptions, csvHeader, csvLine, csvText } from './csv-text.ts';
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

/** The text of a table, which may be written in another thread than it is made in. */
export interface TableText<T> {
  /** Comes before the first batch. */
  readonly begin: string;
  /** The text of one batch. To be called with all batches in order; the text of an empty one is empty. */
  of(batch: readonly T[]): string;
  /** Comes after the last batch. `isEmpty`: no batch had an item. */
  end(isEmpty: boolean): string;
}

/** The text of a CSV table. */
export function rowsText(
  header: readonly string[],
  options: Omit<CsvTextOptions, 'delimiter'> & CsvForm = {},
): TableText<readonly string[]> {
  return {
    begin: csvBegin(header, options),
    of: (rows) => csvText(rows, options),
    end: () => '',
  };
}

/**
 * The text of a table of items. CSV has a cell for each of `columns`. JSON (one array) and NDJSON (one item a line) contain
 * whole items. `hasItems`: an earlier table is continued that has some.
 */
export function itemsText(
  { format, columns, raw = false, delimiter, bom }: Pick<TableOptions, 'raw'> & TableShape,
  hasItems = false,
): TableText<JsonObject> {
  if (format === 'csv') {
    const header = columns.map(({ name }) => name);
    return csvItems(csvBegin(header, { raw, delimiter, bom }), columns, { raw, delimiter });
  }
  return format === 'json' ? arrayOf(hasItems) : LINES;
}

/** Opens a destination for the text of a table, which is written batch by batch. */
export async function openTableText(
  destination: Destination,
  { begin, end }: Omit<TableText<never>, 'of'>,
  options: AtomicFileOptions = {},
): Promise<Sink> {
  const sink = await openDestination(destination, options);
  if (begin !== '') await sink.write(begin);
  return endingWith(sink, end);
}

/** Opens a CSV table; see `rowsText`. */
export async function openRows(
  destination: Destination,
  header: readonly string[],
  {
    raw,
    areCells,
    delimiter,
    bom,
    ...options
  }: TableOptions & CsvForm & Pick<CsvTextOptions, 'areCells'> = {},
): Promise<Writer<readonly string[]>> {
  const text = rowsText(header, { raw, areCells, delimiter, bom });
  return writerOn(await openTableText(destination, text, options), text);
}

/** Opens a table of items; see `itemsText`. */
export async function openTable(
  destination: Destination,
  { appendTo, ...options }: TableOptions & TableShape,
): Promise<Writer<JsonObject>> {
  if (appendTo === undefined) {
    const text = itemsText(options);
    return writerOn(await openTableText(destination, text, options), text);
  }
  const sink = await openDestination(destination, options);
  const text = itemsText(options, (await copySoFar(sink, appendTo, options.format)) > 0);
  return writerOn(endingWith(sink, text.end), text);
}

function csvBegin(header: readonly string[], { bom, ...options }: CsvTextOptions & CsvForm): string {
  return (bom ? '\uFEFF' : '') + csvHeader(header, options);
}

function csvItems(begin: string, columns: readonly Column[], options: CsvTextOptions): TableText<JsonObject> {
  return {
    begin,
    of(items) {
      let lines = '';
      for (const item of items) lines += csvLine(columns, item, options);
      return lines;
    },
    end: () => '',
  };
}

const LINES: TableText<JsonObject> = {
  begin: '',
  of: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
  end: () => '',
};

function arrayOf(hasItems: boolean): TableText<JsonObject> {
  let separator = hasItems ? ',\n' : '[\n';
  return {
    begin: '',
    of(items) {
      let text = '';
      for (const item of items) {
        text += separator + JSON.stringify(item);
        separator = ',\n';
      }
      return text;
    },
    end: (isEmpty) => (isEmpty && !hasItems ? EMPTY_ARRAY : ARRAY_END),
  };
}

/** Writes the end of a table before it is committed. */
function endingWith(sink: Sink, end: TableText<never>['end']): Sink {
  let isEmpty = true;
  return {
    ...sink,
    async write(chunk) {
      isEmpty &&= chunk.length === 0;
      if (chunk.length > 0) await sink.write(chunk);
    },
    async commit() {
      const last = end(isEmpty);
      if (last !== '') await sink.write(last);
      await sink.commit();
    },
  };
}

function writerOn<T>(sink: Sink, { of }: TableText<T>): Writer<T> {
  return { ...sink, write: async (batch) => sink.write(of(batch)) };
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
