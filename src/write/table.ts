import { defuse, type JsonObject } from '../model/index.ts';
import { cellText, valueAt } from './cells.ts';
import { csvHeader, csvText } from './csv-text.ts';
import { type Destination, openDestination } from './destination.ts';
import type { Sink } from './sink.ts';

export type TableFormat = 'csv' | 'json' | 'ndjson';

export interface TableOptions {
  /** Leaves cells alone that a spreadsheet would run as a formula. Default: they are defused. */
  raw?: boolean | undefined;
}

/** A file, or a stream, that takes items or rows in batches. `write` is to be awaited before the next. */
export interface Writer<T> extends Omit<Sink, 'write'> {
  write(batch: readonly T[]): Promise<void>;
}

/** Rows of cells as CSV under a header. */
export async function openRows(
  destination: Destination,
  header: readonly string[],
  options: TableOptions = {},
): Promise<Writer<readonly string[]>> {
  const sink = await openDestination(destination);
  await sink.write(csvHeader(header));
  return writerOn(sink, (rows) => csvText(options.raw ? rows : rows.map((row) => row.map(defuse))));
}

/**
 * Items as a table. In CSV each of `columns` is a dotted path into the items, such as `product._id`; in JSON (one
 * array) and NDJSON (one item a line) items go whole and `columns` are not looked at.
 */
export async function openTable(
  destination: Destination,
  format: TableFormat,
  columns: readonly string[],
  options: TableOptions = {},
): Promise<Writer<JsonObject>> {
  if (format === 'csv') {
    const rows = await openRows(destination, columns, options);
    return {
      ...rows,
      write: (items) => rows.write(items.map((item) => columns.map((path) => cellText(valueAt(item, path))))),
    };
  }
  const sink = await openDestination(destination);
  if (format === 'ndjson')
    return writerOn(sink, (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  let separator = '[\n';
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
      await sink.write(separator === '[\n' ? '[]\n' : '\n]\n');
      await sink.commit();
    },
  };
}

function writerOn<T>(sink: Sink, text: (batch: readonly T[]) => string): Writer<T> {
  return {
    ...sink,
    write: async (batch) => {
      if (batch.length > 0) await sink.write(text(batch));
    },
  };
}
