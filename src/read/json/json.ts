import { isUtf8 } from 'node:buffer';
import { type Json, type JsonObject, type Row, RunStopped, type Table } from '../../model/index.ts';
import { type Bytes, LF, NO_BYTES, readHead } from '../bytes/bytes.ts';
import { itemHasTrace } from '../damage-marks.ts';
import { checkItem, ITEM_COLUMN } from '../item.ts';
import { findFault } from '../json-fault.ts';
import * as messages from '../messages.ts';
import { type Content, createBatchPieces } from '../source.ts';
import { markLength, passOver, type SourceText, withoutMark } from '../text.ts';
import { isPastHead } from './first-items.ts';
import type { Item, ItemPlace, ItemSplitter } from './items.ts';
import { jsonShape, otherLists, type Shape } from './json-shape.ts';
import { splitLines } from './split-lines.ts';
import { splitList } from './split-list.ts';

/** Bytes that are searched for the list of a file. */
const SHAPE_BYTES = 64 * 1024;

/** Reads JSON and NDJSON: each item is a row with one cell. The rows do not depend on chunk borders. */
export async function readJson(beginning: SourceText): Promise<Content> {
  // The list may begin after many lines.
  const text: SourceText = { ...beginning, ...(await readHead(beginning.input, SHAPE_BYTES)) };
  const { file, head, ended, settings, from } = text;
  const shape: Shape =
    settings.format === 'ndjson' ? { kind: 'lines' } : jsonShape(file, withoutMark(head), ended);
  const first: JsonObject[] = [];
  const table: Table = { file, header: [ITEM_COLUMN], items: first };
  let isRecognised = false;
  let isPast = false;
  let number = 0;
  let rows: Row[] = [];

  function take(item: Item): void {
    number += 1;
    // The run that stopped has read the items before `from`. They are parsed until the file is recognised, by the same
    // objects as then.
    const isWanted = from === undefined || number >= from.row;
    if (!isWanted && isRecognised) return;
    const row = rowOf(item);
    if (isWanted) rows.push(row);
    isPast = isPastHead(row);
    if (!isRecognised && !isPast && row.value !== undefined) first.push(row.value as JsonObject);
  }

  function rowOf({ bytes, tooLong, start }: Item): Row {
    const cell = bytes.toString();
    const { offset, line } = start;
    const { value, problem } = tooLong ? { problem: longItem(cell) } : read(bytes, cell, start);
    const suspect = itemHasTrace(bytes, cell);
    const row = { table, row: number, line, cells: [cell], offset, suspect };
    if (value !== undefined) return { value, ...row };
    return { issues: [{ column: ITEM_COLUMN, origin: { file, row: number, line }, ...problem }], ...row };
  }

  function read(bytes: Buffer, cell: string, start: ItemPlace): ReturnType<typeof checkItem> {
    if (isUtf8(bytes)) return checkItem(cell, (at) => placeIn(cell, at, start));
    const encoding = text.encoding();
    const line = cell.split('\n').find((each) => each.includes('\uFFFD')) ?? cell;
    const around = line.slice(Math.max(0, line.indexOf('\uFFFD') - 10));
    const what = messages.bytesThatAreNot(encoding);
    const texts = messages.quoting(
      around,
      (found) => `This item holds ${what}: ${found}. ${messages.otherEncoding(encoding)}`,
    );
    return { problem: { code: 'bad-bytes', ...texts } };
  }

  function longItem(cell: string): messages.IssueText {
    const most = messages.size(settings.limits.maxRowBytes);
    const texts = messages.quoting(
      cell,
      (found) =>
        `This item is longer than ${most}; only its beginning was read: ${found}. Look for a quote that is missing, or shorten it.`,
    );
    return { code: 'cell-too-long', ...texts };
  }

  const { splitter, offset } = splitterFor(text, shape, take);
  const input = passOver(text.input, offset);
  return {
    table,
    reading: {
      format: shape.kind === 'lines' ? 'ndjson' : 'json',
      ...(shape.kind === 'list' && shape.path.length > 0 ? { list: shape.path.join('.') } : {}),
    },
    batches: batchesOf(splitter, input, () => {
      const taken = rows;
      rows = [];
      isRecognised = isPast || first.length > 0;
      return taken;
    }),
  };
}

/** Chooses the splitter for a shape. `offset` is that of the first byte to feed. */
function splitterFor(
  { file, head, settings }: SourceText,
  shape: Shape,
  onItem: (item: Item) => void,
): { splitter: ItemSplitter; offset: number } {
  const maxBytes = settings.limits.maxRowBytes;
  const mark = markLength(head);
  if (shape.kind === 'lines') {
    const begin = { offset: mark, line: 1, lineStart: mark };
    return { splitter: splitLines(begin, maxBytes, onItem), offset: mark };
  }
  const offset = shape.kind === 'list' ? mark + shape.start + 1 : mark;
  const before = head.subarray(mark, offset);
  const lineStart = mark + before.lastIndexOf(LF) + 1;
  const begin = { offset, line: 1 + breaksIn(before.toString('latin1')), lineStart };
  const splitter = splitList({
    ...{ file: messages.nameOf(file), begin, maxBytes, onItem },
    inList: shape.kind === 'list',
    onRest({ bytes, tooLong }, start) {
      if (shape.kind !== 'list') return;
      const warn = (message: string) => settings.onWarning({ code: 'other-list', message });
      if (tooLong)
        return warn(`${messages.nameOf(file)} has text after its list that is too long, and is not read.`);
      const around = parseAround(file, before.toString(), { text: bytes.toString(), start });
      const others = otherLists(around, shape.path);
      if (others.length > 0)
        warn(
          `${messages.nameOf(file)} has other lists beside "${shape.path.join('.')}" that are not read: ${others.join(', ')}.`,
        );
    },
  });
  return { splitter, offset };
}

/** Text after the list, and where it begins. */
interface TextAt {
  readonly text: string;
  readonly start: ItemPlace;
}

/**
 * Parses the file without the items of its list. Throws RunStopped if that is not JSON: the file is damaged or cut off.
 */
function parseAround(file: string, before: string, rest: TextAt): Json {
  const around = `${before}]${rest.text}`;
  try {
    return JSON.parse(around) as Json;
  } catch {
    const { at, expected } = findFault(around);
    const inRest = at - before.length - 1;
    const place =
      inRest >= 0
        ? placeIn(rest.text, inRest, rest.start)
        : placeIn(before, at, { offset: 0, line: 1, lineStart: 0 });
    const found =
      at >= around.length ? 'the file ends there' : `there is ${messages.excerpt(around.slice(at))}`;
    throw new RunStopped(
      'source-failed',
      `${messages.nameOf(file)} was read, but is damaged around its list: at ${place} ${expected} is expected, and ${found}.`,
      ['Export the file again if items may be missing from it.'],
    );
  }
}

/** `line 12, column 7`: the position of a character in a text that begins at `start`. */
function placeIn(text: string, at: number, { offset, line, lineStart }: ItemPlace): string {
  const before = text.slice(0, at);
  const breaks = breaksIn(before);
  const column = breaks === 0 ? offset - lineStart + at : at - before.lastIndexOf('\n') - 1;
  return `line ${line + breaks}, column ${column + 1}`;
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}

async function* batchesOf(
  splitter: ItemSplitter,
  input: Bytes,
  takeRows: () => Row[],
): AsyncGenerator<Row[], void> {
  const pieces = createBatchPieces();
  function* feed(bytes: Buffer, end: boolean): Generator<Row[], void> {
    try {
      splitter.feed(bytes, end);
    } catch (error) {
      // Keep the items that were complete before the damage.
      yield* pieces.batches(takeRows());
      throw error;
    }
    yield* pieces.batches(takeRows());
  }
  for await (const bytes of input) for (const piece of pieces.of(bytes)) yield* feed(piece, false);
  yield* feed(NO_BYTES, true);
}
