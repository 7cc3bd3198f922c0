import type { Readable } from 'node:stream';
import { ConfigError, type Position, type Row, RunStopped } from '../model/index.ts';
import { type Bytes, CHUNK_BYTES, HEAD_LINE_ENDS, measure, openFile, readHead } from './bytes/bytes.ts';
import { decode } from './bytes/decode.ts';
import { gunzip, isGzip } from './bytes/gunzip.ts';
import { refuseOtherKinds, refusePages } from './bytes/kinds.ts';
import type { Unchanged } from './bytes/unchanged.ts';
import { readCsv } from './csv/csv.ts';
import { scanColumn } from './csv/scan-column.ts';
import { withFirstItems } from './json/first-items.ts';
import { readJson } from './json/json.ts';
import { looksLikeJson, NAMED_LINES } from './json/json-shape.ts';
import { nameOf } from './messages.ts';
import { type Format, type ReadOptions, type ReadSettings, refuseLayout, settingsOf } from './options.ts';
import type { Reread, Source } from './source.ts';
import { markLength, passOver, type SourceText, takeLines, withoutMark } from './text.ts';

/** Opens one file, `-` for standard input, and reads it up to and including its header. Throws ConfigError. */
export async function openSource(file: string, options: ReadOptions = {}): Promise<Source> {
  const settings = settingsOf(options);
  if (file === '-') {
    const stdin = (options.stdin ?? process.stdin) as Readable;
    const end = () => stdin.destroy(new RunStopped('interrupted', 'The run was interrupted.'));
    options.interrupted?.addEventListener('abort', end, { once: true });
    return readSource(file, stdin, settings);
  }
  return openPath(file, options);
}

/** `before` is undefined if a command opens the file for the first time. */
async function openPath(file: string, options: ReadOptions, before?: Unchanged): Promise<Source> {
  const settings = settingsOf(options);
  const { chunks, size, unchanged } = await openFile(file, { name: options.name, unchanged: before });
  const { name = file, from } = options;
  const source = await readSource(name, chunks, { ...settings, size, from, unchanged });
  if (unchanged === undefined) return source;
  return { ...source, expect: unchanged.expect, reread: rereadOf({ file, options, unchanged }, source) };
}

/** A regular file, as it was opened first. */
interface OpenedFile {
  readonly file: string;
  readonly options: ReadOptions;
  readonly unchanged: Unchanged;
}

/** Ways to read a regular file again. Warnings are dropped, since the first pass gave them. */
function rereadOf({ file, options, unchanged }: OpenedFile, { table, reading }: Source): Reread {
  const silent = { ...options, from: undefined, onWarning: () => {} };
  const settings = settingsOf(silent);
  return {
    open: () => openPath(file, silent, unchanged),
    async *scan(column, onCell) {
      const { format, delimiter, quote, skippedLines = 0 } = reading();
      if (format !== 'csv' || table.items !== undefined || delimiter === undefined) return false;
      const { chunks } = await openFile(file, { name: options.name, chunkBytes: SCAN_BYTES, unchanged });
      const { decoded } = await openText(nameOf(file), chunks, settings);
      const { head, input } = await readHead(decoded.input, 3);
      const { maxRowBytes } = settings.limits;
      const dialect = { delimiter, quote: quote ?? '' };
      const below = await takeLines(passOver(input, markLength(head)), skippedLines, maxRowBytes);
      return yield* scanColumn(below.input, { dialect, column, maxRowBytes, onCell });
    },
  };
}

/** Chunk size for passes that keep nothing of the file. */
const SCAN_BYTES = 256 * 1024;
/** Bytes needed to recognise a binary file format. */
const KIND_BYTES = 512;

/** Data about a source that is known before it is read. */
export interface GivenSource {
  readonly size?: number | undefined;
  readonly from?: Position | undefined;
  readonly unchanged?: Unchanged | undefined;
}

/**
 * Turns any chunks of bytes into rows: bytes → unpacked → decoded → rows. It owns `chunks`, and closes them when the
 * rows end, when iteration stops early, and when the header is refused.
 *
 * To resume in mid-file it still unpacks and decodes the bytes before, since later bytes cannot be interpreted without
 * them.
 */
export async function readSource(
  file: string,
  chunks: AsyncIterable<Buffer | string>,
  settings: ReadSettings & GivenSource,
): Promise<Source> {
  const { size, from, unchanged } = settings;
  const name = nameOf(file);
  const { input, bytesRead, digest } = measure(name, chunks, unchanged);
  const close = async () => {
    await input.return();
  };
  try {
    const { packed, decoded } = await openText(name, input, settings);
    const head = await readHead(decoded.input, CHUNK_BYTES, HEAD_LINE_ENDS);
    const encoding = () => decoded.encoding().name;
    const text: SourceText = { ...head, file, encoding, settings, from };
    const { table, reading, batches, firstRow, suggestion } = await withFirstItems(
      await contentOf(text),
      from,
    );
    return {
      table,
      ...{ firstRow, suggestion },
      batches: closing(batches, close),
      reading() {
        const { name: encoding, guessed, rival } = decoded.encoding();
        return {
          ...reading,
          ...(packed ? { packed: 'gzip' } : {}),
          encoding,
          ...(guessed ? { guessed: true } : {}),
          ...(rival === undefined ? {} : { rival }),
        };
      },
      ...{ size, bytesRead, digest, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** bytes → unpacked → decoded. */
async function openText(
  name: string,
  input: Bytes,
  { encoding, onWarning }: Pick<ReadSettings, 'encoding' | 'onWarning'>,
) {
  const start = await readHead(input, 3);
  const packed = isGzip(start.head);
  const onRest = (message: string) => onWarning({ code: 'gzip-rest', message });
  const bytes = packed ? gunzip(name, start.input, { onWarning: onRest }) : start.input;
  const unpacked = await readHead(bytes, KIND_BYTES);
  refuseOtherKinds(name, unpacked.head);
  const onLate = (message: string) => onWarning({ code: 'encoding', message });
  return { packed, decoded: await decode(name, unpacked.input, { encoding, onWarning: onLate }) };
}

async function contentOf(text: SourceText) {
  const { format } = text.settings;
  const name = nameOf(text.file);
  const beginning = withoutMark(text.head);
  if (isEmptyLines(text, beginning))
    return readJson({ ...text, settings: { ...text.settings, format: 'ndjson' } });
  if (beginning.length === 0) {
    // Throws if the file is empty because it is damaged.
    await text.input.next();
    throw new ConfigError(`${name} is empty: it has not even a header.`);
  }
  const shown = beginning.toString();
  if (beginning[0] === 0 && format !== undefined && isJson(shown, format))
    throw new ConfigError(`${name} begins with a NUL byte, so it is not JSON.`);
  refusePages(name, shown);
  if (!isJson(shown, format)) return readCsv(text);
  refuseLayout(text.settings.layout, `${name} is JSON`);
  return readJson(text);
}

/** An empty NDJSON file has no header and no items, so only its name or the option identifies it. */
function isEmptyLines({ file, settings: { format } }: SourceText, beginning: Buffer): boolean {
  const isNdjson = format === 'ndjson' || (format === undefined && NAMED_LINES.test(file));
  return isNdjson && beginning.toString().trim() === '';
}

function isJson(beginning: string, format: Format | undefined): boolean {
  if (format !== undefined) return format === 'json' || format === 'ndjson';
  return looksLikeJson(beginning);
}

async function* closing(batches: AsyncGenerator<Row[], void>, close: () => Promise<void>) {
  try {
    yield* batches;
  } finally {
    await close();
  }
}
