import type { Readable } from 'node:stream';
import { createReadStream } from '../model/files/fs.ts';
import { ConfigError, type Issue, type Position, RunStopped } from '../model/index.ts';
import { measure, openFile, readHead } from './bytes/bytes.ts';
import { isZip } from './bytes/kinds.ts';
import { fileAccess, spooledAccess } from './bytes/random-access.ts';
import type { Unchanged } from './bytes/unchanged.ts';
import { scanColumn } from './csv/scan-column.ts';
import { nameOf } from './messages.ts';
import { type ReadOptions, type ReadSettings, settingsOf } from './options.ts';
import { selectRows } from './selection.ts';
import type { OpenedContent, Reread, Source, SourceBytes } from './source.ts';
import { markLength, passOver, takeLines } from './text.ts';
import { openText, openTextSource } from './text-source.ts';
import { isCompound, refuseCompound } from './workbook/compound.ts';

/** Opens one file, `-` for standard input, and reads it up to and including its header. Throws ConfigError. */
export async function openSource(file: string, options: ReadOptions = {}): Promise<Source> {
  const settings = settingsOf(options);
  if (file === '-') {
    if (!options.stdin)
      throw new ConfigError('Standard input (-) cannot be read here.', ['Name a file instead.']);
    const stdin = options.stdin() as Readable;
    const end = () => stdin.destroy(new RunStopped('interrupted', 'The run was interrupted.'));
    options.interrupted?.addEventListener('abort', end, { once: true });
    return readSource(options.name ?? file, stdin, settings);
  }
  return openPath(file, options);
}

/** `before` is undefined if a command opens the file for the first time. */
async function openPath(file: string, given: ReadOptions, before?: Unchanged): Promise<Source> {
  const options = { ...given, onWarning: given.onWarning && onceEach(given.onWarning) };
  const settings = settingsOf(options);
  const { chunks, size, unchanged } = await openFile(file, { name: options.name, unchanged: before });
  const { name = file, from } = options;
  const regular = unchanged && size !== undefined ? { path: file, size, unchanged } : undefined;
  const source = await readSource(name, chunks, { ...settings, from, regular });
  if (unchanged === undefined) return source;
  return { ...source, expect: unchanged.expect, reread: rereadOf({ file, options, unchanged }, source) };
}

/** A regular file, as it was opened first. */
interface OpenedFile {
  readonly file: string;
  readonly options: ReadOptions;
  readonly unchanged: Unchanged;
}

/** Gives each warning once, however often the file is read: one pass may read further than another. */
function onceEach(onWarning: (warning: Issue) => void): (warning: Issue) => void {
  const given = new Set<string>();
  return (warning) => {
    if (given.has(warning.message)) return;
    given.add(warning.message);
    onWarning(warning);
  };
}

/** Ways to read a regular file again. `options` have the warnings of the first pass. */
function rereadOf({ file, options, unchanged }: OpenedFile, { table, reading }: Source): Reread {
  const whole = { ...options, from: undefined };
  const settings = settingsOf({ ...whole, onWarning: undefined });
  const open = () => openPath(file, whole, unchanged);
  if (settings.selection !== undefined) return { open };
  return {
    open,
    async *scan(column, onCell) {
      const { format, delimiter, quote, skippedLines = 0 } = reading();
      if (format !== 'csv' || table.items !== undefined || delimiter === undefined) return false;
      const { name } = options;
      const { chunks, close } = await openFile(file, { name, chunkBytes: SCAN_BYTES, unchanged });
      try {
        const { decoded } = await openText(nameOf(file), chunks, settings);
        const { head, input } = await readHead(decoded.input, 3);
        const { maxRowBytes } = settings.limits;
        const dialect = { delimiter, quote: quote ?? '' };
        const below = await takeLines(passOver(input, markLength(head)), skippedLines, maxRowBytes);
        return yield* scanColumn(below.input, { dialect, column, maxRowBytes, onCell });
      } finally {
        await close();
      }
    },
  };
}

/** Chunk size for passes that keep nothing of the file. */
const SCAN_BYTES = 256 * 1024;
/** Data about a source that is known before it is read. */
export interface GivenSource {
  readonly from?: Position | undefined;
  /** Given for a regular file. */
  readonly regular?: RegularFile | undefined;
}

/** A regular file, which can be read at any place. */
interface RegularFile {
  readonly path: string;
  readonly size: number;
  readonly unchanged: Unchanged;
}

/** A kind of source, recognised by its first bytes. */
interface SourceKind {
  matches(head: Buffer, settings: ReadSettings): boolean;
  open(bytes: SourceBytes): Promise<OpenedContent>;
}

/** All kinds. The first that matches is used; text matches everything, and refuses what it cannot read. */
const KINDS: readonly SourceKind[] = [
  {
    matches: (head, { format }) => (format === undefined || format === 'xlsx') && isZip(head),
    // Its libraries are loaded only for a workbook.
    open: async (bytes) => (await import('./workbook/workbook.ts')).openWorkbookSource(bytes),
  },
  {
    matches: (head, { format }) => (format === undefined || format === 'xlsx') && isCompound(head),
    async open({ file, access }) {
      const bytes = await access();
      try {
        return await refuseCompound(nameOf(file), bytes);
      } finally {
        await bytes.close();
      }
    },
  },
  { matches: () => true, open: openTextSource },
];
/** Bytes needed to recognise a kind. */
const KIND_BYTES = 4;

/**
 * Turns any chunks of bytes into rows. It owns `chunks`, and closes them when the rows end, when iteration stops early,
 * and when the header is refused.
 */
export async function readSource(
  file: string,
  chunks: AsyncIterable<Buffer | string>,
  { from, regular, ...settings }: ReadSettings & GivenSource,
): Promise<Source> {
  const name = nameOf(file);
  const { input, bytesRead, digest } = measure(name, chunks, regular?.unchanged);
  let opened: OpenedContent | undefined;
  const close = async () => {
    await input.return();
    await opened?.close?.();
  };
  try {
    const start = await readHead(input, KIND_BYTES);
    const kind = KINDS.find(({ matches }) => matches(start.head, settings)) as SourceKind;
    const access = () =>
      regular ? fileAccess(regular.path, regular.unchanged) : spooledAccess(start.input, digest);
    const lineAt = regular && ((byte: number) => lineOf(regular.path, byte));
    opened = await kind.open({
      ...{ file, settings, from, bytesRead, digest, access, lineAt },
      input: start.input,
    });
    const { table, firstRow, suggestion, batches, blocks, blockReader, reading } = opened;
    const selected = selectRows({ table, batches }, settings.selection);
    const isAll = settings.selection === undefined;
    return {
      ...{ table, firstRow, suggestion, reading, leftOutRows: selected.leftOutRows },
      batches: closing(selected.batches, close),
      ...(isAll && blocks ? { blocks: (blockBytes) => closing(blocks(blockBytes), close), blockReader } : {}),
      ...{ size: regular?.size, bytesRead: opened.bytesRead, digest: opened.digest, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Number of the line that has this byte, from 1. */
async function lineOf(path: string, byte: number): Promise<number> {
  let line = 1;
  const bytes = byte === 0 ? [] : createReadStream(path, { end: byte - 1, highWaterMark: SCAN_BYTES });
  for await (const chunk of bytes as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) line++;
  return line;
}

const LF = 10;

async function* closing<T>(batches: AsyncGenerator<T, void>, close: () => Promise<void>) {
  try {
    yield* batches;
  } finally {
    await close();
  }
}
