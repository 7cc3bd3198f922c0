import { ConfigError, isOwnColumn, type Position, type Row } from '../../model/index.ts';
import {
  type Bytes,
  CHUNK_BYTES,
  HEAD_LINE_ENDS,
  type Head,
  inPieces,
  NO_BYTES,
  readHead,
  replay,
} from '../bytes/bytes.ts';
import { nameOf, nothingBelow, reportLayout } from '../messages.ts';
import type { TableLayout } from '../options.ts';
import { BATCH_BYTES, type BlockReader, type Content, createBatchPieces } from '../source.ts';
import { lackLastCells, layoutIn } from '../table/layout.ts';
import { titlesWarning } from '../table/titles.ts';
import { markLength, passOver, type SourceText, takeLines, withoutMark } from '../text.ts';
import { namedDialect, suggestionFor, titlesIn } from './beginning.ts';
import { cutBlocks } from './blocks.ts';
import { detectDialect, firstRows } from './dialect.ts';
import type { Dialect } from './engine.ts';
import { createRowReader, type RowReader, type Start } from './rows.ts';
import { createSplitter } from './splitter.ts';

/** Reads CSV up to and including its header. The rows do not depend on chunk borders. */
export async function readCsv(text: SourceText): Promise<Content> {
  const { file, settings, from } = text;
  const { limits, onWarning } = settings;
  const layout = layoutOf(text);
  const { beginning, begin, above } = await passAbove(text, layout.skipLines);
  const head = withoutMark(beginning.head).toString();
  const dialect = detectDialect(head, beginning.ended, namedDialect(text));
  const first = firstRows(head, beginning.ended, dialect);
  const readerAt = (start: Start, encoding = text.encoding) =>
    createRowReader({
      ...{ file, dialect, limits, layout, onWarning, start, encoding },
      areShort: lackLastCells(first),
    });
  const row = begin.row + rowsIn(above, dialect, limits.maxRowBytes);
  const reader = readerAt({ ...begin, row });
  const input = inPieces(passOver(beginning.input, markLength(beginning.head)), BATCH_BYTES);
  const state = await readHeader(reader, input, begin.offset);
  const { table } = reader;
  if (table === undefined) throw new ConfigError(`${nameOf(file)} holds only blank lines: it has no header.`);
  const content = {
    table,
    reading: { format: 'csv' as const, ...dialect, ...layoutIn(layout) },
    suggestion: () => suggestionFor(text, layout),
    blocks: (blockBytes: number) =>
      cutBlocks(replay(state.unread, input), reader.begin as Position, { dialect, blockBytes }),
    blockReader: (start: Position, encoding: string): BlockReader =>
      inPiecesOf(readerAt({ ...start, table }, () => encoding)),
  };
  // An errors.csv of objects is recognised by its first objects, so the rows before `from` are read and dropped later.
  if (table.items) return { ...content, batches: batchesOf(reader, input, state) };
  if (from === undefined || from.offset < state.offset)
    return { ...content, batches: batchesOf(reader, input, { ...state, from }) };
  const rest = passOver(input, from.offset - state.offset);
  return { ...content, batches: batchesOf(readerAt({ ...from, table }), rest, NOTHING_READ) };
}

/** A layout that says how many lines are above the header. */
type KnownLayout = TableLayout & { readonly skipLines: number };

/**
 * Returns the layout that the options name, without titles that are plainly above the header if they name none. A report such
 * as errors.csv has its own layout, whatever its source had.
 */
function layoutOf(text: SourceText): KnownLayout {
  const { head, ended, settings, file } = text;
  const { layout, onWarning } = settings;
  const { skipLines = 0, noHeader } = layout;
  if (layout.skipLines === undefined && !noHeader) {
    const titles = titlesIn(text);
    if (titles !== undefined) onWarning(titlesWarning(file, titles, 'line'));
    return { ...layout, skipLines: titles?.lines ?? 0 };
  }
  if (skipLines === 0 && !noHeader) return { ...layout, skipLines };
  const beginning = withoutMark(head).toString();
  const dialect = detectDialect(beginning, ended, namedDialect(text));
  const [header = []] = firstRows(beginning, ended, dialect);
  if (!header.some(isOwnColumn)) return { ...layout, skipLines };
  onWarning({ code: 'report-layout', message: reportLayout(nameOf(file)) });
  return { ...layout, skipLines: 0, noHeader: false };
}

/** The text from the header on, and where it begins. */
interface TableText {
  readonly beginning: Head;
  readonly begin: Position;
  /** The lines above. */
  readonly above: Buffer;
}

/** Leaves out the lines above the header. Throws ConfigError if nothing is left. */
async function passAbove({ file, settings, ...head }: SourceText, skipLines: number): Promise<TableText> {
  const mark = markLength(head.head);
  if (skipLines === 0) return { beginning: head, begin: { offset: mark, row: 1, line: 1 }, above: NO_BYTES };
  const { bytes, lines, input } = await takeLines(
    passOver(head.input, mark),
    skipLines,
    settings.limits.maxRowBytes,
  );
  const beginning = await readHead(input, CHUNK_BYTES, HEAD_LINE_ENDS);
  if (lines < skipLines || beginning.head.length === 0)
    throw new ConfigError(...nothingBelow(nameOf(file), skipLines, lines));
  const begin = { offset: mark + bytes.length, row: 1, line: 1 + lines };
  return { beginning, begin, above: bytes };
}

/** Counts the rows that a spreadsheet shows for the lines above the header. A quoted cell may have several lines. */
function rowsIn(above: Buffer, dialect: Dialect, maxRowBytes: number): number {
  let rows = 0;
  const onRow = () => {
    rows++;
  };
  const steps = createSplitter({ dialect, maxRowBytes, file: '', onRow }).feed(above, true);
  while (steps.next().done !== true);
  return rows;
}

interface State {
  /** Rows that followed the header in the same piece. */
  readonly rows: Row[];
  /** The bytes of these rows, and of an unfinished one below them. */
  readonly unread: Buffer;
  readonly ended: boolean;
  /** Rows before this position are left out. */
  readonly from?: Position | undefined;
}

const NOTHING_READ: State = { rows: [], unread: NO_BYTES, ended: false };

/** Reads until the header was found or the input ends. The returned `offset` is that of the next byte to read. */
async function readHeader(
  reader: RowReader,
  input: Bytes,
  begin: number,
): Promise<State & { offset: number }> {
  const pieces: Buffer[] = [];
  for (let offset = begin; ; ) {
    const next = await input.next();
    const ended = next.done === true;
    offset += next.value?.length ?? 0;
    pieces.push(next.value ?? NO_BYTES);
    const rows = [...reader.read(next.value ?? NO_BYTES, ended)].flat();
    if (!ended && reader.table === undefined) continue;
    const unread = Buffer.concat(pieces).subarray((reader.begin?.offset ?? offset) - begin);
    return { rows, unread, ended, offset };
  }
}

/** Reads bytes in pieces, so that a batch is as large from a block as it is from a stream. */
function inPiecesOf(reader: RowReader): BlockReader {
  const pieces = createBatchPieces();
  return {
    *read(bytes, end) {
      for (const piece of pieces.of(bytes))
        for (const rows of reader.read(piece, false)) yield* pieces.batches(rows);
      if (end) for (const rows of reader.read(NO_BYTES, true)) yield* pieces.batches(rows);
    },
    next: reader.next,
  };
}

async function* batchesOf(
  reader: RowReader,
  input: Bytes,
  { rows, ended, from }: State,
): AsyncGenerator<Row[], void> {
  const first = from === undefined ? rows : rows.filter(({ row }) => row >= from.row);
  yield* createBatchPieces().batches(first);
  if (ended) return;
  const pieces = inPiecesOf(reader);
  for await (const bytes of input) yield* pieces.read(bytes, false);
  yield* pieces.read(NO_BYTES, true);
}
