import { createHash } from 'node:crypto';
import { ConfigError, type Position, type Row, RunStopped, type Table } from '../model/index.ts';
import type { Dialect } from './engine.ts';
import { nameOf } from './messages.ts';
import type { ReadSettings } from './options.ts';
import { createRowReader, type RowReader } from './rows.ts';
import { detectDelimiter, firstLine, refuseOtherKinds, withoutBom } from './sniff.ts';

/** One open source: its header was read, its rows come in batches, in order. */
export interface Source {
  readonly table: Table;
  readonly dialect: Dialect;
  /**
   * The rows after the header, one array for each chunk of the file. To be iterated once; leaving early closes the
   * file. Throws RunStopped when the file cannot be read further.
   */
  readonly batches: AsyncIterable<Row[]>;
  /** Bytes of the whole file; undefined for standard input and pipes. */
  readonly size: number | undefined;
  bytesRead(): number;
  /** SHA-256 of the whole file, in hex; undefined while it was not read to its end. */
  digest(): string | undefined;
  /** Closes the file; for a source that is not read to its end. */
  close(): Promise<void>;
}

/** What is read from a file at once. */
export const CHUNK_BYTES = 64 * 1024;

/**
 * What becomes one batch of rows. A batch is mapped and planned ahead of the store, and what waits outlives the
 * garbage collector's first look: with four times as much the memory of a run grows by a fifth.
 */
const BATCH_BYTES = 16 * 1024;
const MIN_HEAD_BYTES = 256;
const MAX_BATCH = 50_000;

/**
 * Reads CSV from any chunks of bytes; the rows do not depend on where the chunks are cut. It owns `chunks`: they
 * are closed when the rows end, when they are left early, and when the header is refused.
 */
export async function readCsv(
  file: string,
  chunks: AsyncIterable<Buffer | string>,
  { delimiter, quote, limits, onWarning }: ReadSettings,
  size?: number,
): Promise<Source> {
  const name = nameOf(file);
  const { input, bytesRead, digest } = measure(name, chunks);
  try {
    const head = await readHead(input, quote);
    if (withoutBom(head.bytes).length === 0)
      throw new ConfigError(`${name} is empty: it has not even a header.`);
    refuseOtherKinds(name, head.bytes);
    const line = head.line ?? head.bytes.toString();
    const dialect = { delimiter: delimiter ?? detectDelimiter(line, quote), quote };
    const text = withoutBom(head.bytes);
    const start = { offset: head.bytes.length - text.length, row: 1, line: 1 };
    const reader = createRowReader(file, dialect, limits, onWarning, start);
    let first = reader.read(text, head.ended);
    let ended = head.ended;
    while (reader.table === undefined && !ended) {
      const next = await input.next();
      ended = next.done === true;
      first = reader.read(next.value ?? NO_BYTES, ended);
    }
    if (reader.table === undefined)
      throw new ConfigError(`${name} holds only blank lines: it has no header.`);
    return {
      table: reader.table,
      dialect,
      batches: batches(reader, input, first, ended),
      size,
      bytesRead,
      digest,
      close: async () => {
        await input.return();
      },
    };
  } catch (error) {
    await input.return();
    throw error;
  }
}

/** The rows of a source from one of them on; `chunks` are the bytes from there. */
export function readOn(
  { table, dialect, size }: Source,
  chunks: AsyncIterable<Buffer>,
  from: Position,
  { limits, onWarning }: ReadSettings,
): Source {
  const { input, bytesRead } = measure(nameOf(table.file), chunks);
  const reader = createRowReader(table.file, dialect, limits, onWarning, { ...from, table });
  return {
    table,
    dialect,
    batches: batches(reader, input, [], false),
    size,
    bytesRead: () => from.offset + bytesRead(),
    digest: () => undefined,
    close: async () => {
      await input.return();
    },
  };
}

/** The bytes in pieces that make good batches, counted and digested. */
function measure(name: string, chunks: AsyncIterable<Buffer | string>) {
  const hash = createHash('sha256');
  let bytesRead = 0;
  let digest: string | undefined;

  async function* measured(): AsyncGenerator<Buffer, void> {
    try {
      for await (const chunk of chunks) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        hash.update(bytes);
        bytesRead += bytes.length;
        for (let at = 0; at < bytes.length; at += BATCH_BYTES) yield bytes.subarray(at, at + BATCH_BYTES);
      }
    } catch (error) {
      if (error instanceof RunStopped) throw error;
      throw new RunStopped(
        'source-failed',
        `${name} could not be read further: ${(error as Error).message}.`,
      );
    }
    digest = hash.digest('hex');
  }

  return { input: measured(), bytesRead: () => bytesRead, digest: () => digest };
}

const NO_BYTES = Buffer.alloc(0);

async function* batches(
  reader: RowReader,
  input: AsyncGenerator<Buffer, void>,
  first: Row[],
  ended: boolean,
): AsyncGenerator<Row[], void> {
  try {
    yield* inBatches(first);
    while (!ended) {
      const next = await input.next();
      ended = next.done === true;
      yield* inBatches(reader.read(next.value ?? NO_BYTES, ended));
    }
  } finally {
    await input.return();
  }
}

/** Behind a quote that was never closed megabytes of rows may come to light at once. */
function* inBatches(rows: Row[]): Generator<Row[], void> {
  if (rows.length <= MAX_BATCH) {
    if (rows.length > 0) yield rows;
    return;
  }
  for (let at = 0; at < rows.length; at += MAX_BATCH) yield rows.slice(at, at + MAX_BATCH);
}

/**
 * Reads on until the first line that is not blank is whole, or the beginning is too long to look at further.
 * A few bytes more tell what kind of file it is.
 */
async function readHead(input: AsyncGenerator<Buffer, void>, quote: string) {
  let bytes = NO_BYTES as Buffer;
  for (;;) {
    const next = await input.next();
    if (next.done === true) return { bytes, line: firstLine(bytes.toString(), quote), ended: true };
    bytes = bytes.length === 0 ? next.value : Buffer.concat([bytes, next.value]);
    const line = firstLine(bytes.toString(), quote);
    if ((line !== undefined && bytes.length >= MIN_HEAD_BYTES) || bytes.length >= CHUNK_BYTES)
      return { bytes, line, ended: false };
  }
}
