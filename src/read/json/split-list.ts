import { RunStopped } from '../../model/index.ts';
import { LF } from '../bytes/bytes.ts';
import { createHold, type Item, type ItemPlace, type ItemSplitter, isBlank } from './items.ts';

const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

export interface JsonListOptions {
  /** The name of the file in messages. */
  readonly file: string;
  /** Position of the first byte that is fed: the one after the `[`, or the first of the file. */
  readonly begin: ItemPlace;
  /** False if there is no list, but objects in sequence. */
  readonly inList: boolean;
  readonly maxBytes: number;
  readonly onItem: (item: Item) => void;
  /** Called at the end of the file with the bytes after the list. */
  readonly onRest: (rest: Omit<Item, 'start'>, start: ItemPlace) => void;
}

/**
 * Finds the borders of items by brackets and quotes alone; JSON.parse checks their content. So an item that is balanced
 * but broken does not affect others, and each item keeps its original text, with all digits of long numbers.
 */
export function splitList({ file, begin, inList, maxBytes, onItem, onRest }: JsonListOptions): ItemSplitter {
  const hold = createHold(maxBytes);
  let state: 'first' | 'item' | 'inside' | 'follow' | 'rest' = 'first';
  let start = begin;
  let { line, lineStart } = begin;
  /** Offset of the chunk. */
  let base = begin.offset;
  /** Inside an item: the nesting depth, and the kind of token. */
  let depth = 0;
  let within: 'quotes' | 'escape' | 'scalar' | 'structure' = 'structure';

  /** Returns the index after the last byte of the item, or the length of the chunk if the item continues. */
  function passItem(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (within === 'scalar' && endsScalar(byte)) return endItem(at);
      if (byte === LF) newLine(at);
      if (within === 'quotes') {
        if (byte === BACKSLASH) within = 'escape';
        else if (byte === QUOTE) {
          within = 'structure';
          if (depth === 0) return endItem(at + 1);
        }
      } else if (within === 'escape') within = 'quotes';
      else if (byte === QUOTE) within = 'quotes';
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth--;
        if (depth === 0) return endItem(at + 1);
      } else if (depth === 0) within = 'scalar';
    }
    return chunk.length;
  }

  function endItem(at: number): number {
    state = 'follow';
    return at;
  }

  function newLine(at: number): void {
    line += 1;
    lineStart = base + at + 1;
  }

  function beginItem(at: number): void {
    state = 'inside';
    depth = 0;
    within = 'structure';
    start = placeAt(at);
  }

  function placeAt(at: number): ItemPlace {
    return { offset: base + at, line, lineStart };
  }

  function handOver(): void {
    onItem({ start, ...hold.take() });
  }

  /** Handles one byte between items. */
  function step(byte: number, at: number): void {
    const mayBegin =
      state === 'follow' ? !inList && byte === OPEN_OBJECT : !endsScalar(byte) && byte !== COLON;
    if (mayBegin) beginItem(at);
    else if (state === 'follow' && inList && byte === COMMA) state = 'item';
    else if (state !== 'item' && inList && byte === CLOSE_LIST) {
      state = 'rest';
      start = placeAt(at + 1);
    } else throw stopped(placeAt(at), expected(), `there is ${shown(byte)}`);
  }

  function expected(): string {
    if (state !== 'follow') return state === 'first' && inList ? 'an item or ]' : 'an item';
    return inList ? 'a comma or ]' : 'the next object or the end';
  }

  function finish(): void {
    if (state === 'rest') onRest(hold.take(), start);
    else if (state === 'inside' && !inList && within === 'scalar') handOver();
    else if (state === 'inside')
      throw stopped(start, 'the end of the item that begins there', 'the file ends before');
    else if (inList || state === 'first') throw stopped(placeAt(0), expected(), 'the file ends there');
  }

  function stopped(
    { offset, line: at, lineStart: from }: ItemPlace,
    what: string,
    found: string,
  ): RunStopped {
    return new RunStopped(
      'source-failed',
      `${file} was not read beyond line ${at}, column ${offset - from + 1}: ${what} is expected, and ${found}.`,
      ['Correct the file there, or export it again: it may have been cut off, or edited by hand.'],
    );
  }

  return {
    feed(chunk, end) {
      for (let at = 0; at < chunk.length; ) {
        if (state === 'rest') {
          hold.add(chunk.subarray(at));
          break;
        }
        if (state === 'inside') {
          const next = passItem(chunk, at);
          hold.add(chunk.subarray(at, next));
          at = next;
          if (state !== ('inside' as string)) handOver();
          continue;
        }
        const byte = chunk[at]!;
        if (byte === LF) newLine(at);
        if (isBlank(byte)) at++;
        else {
          step(byte, at);
          // Do not skip the first byte of an item: it is buffered with the item.
          if (state !== ('inside' as string)) at++;
        }
      }
      base += chunk.length;
      if (end) finish();
    },
  };
}

function endsScalar(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isBlank(byte);
}

function shown(byte: number): string {
  return byte > 32 && byte < 127
    ? String.fromCharCode(byte)
    : `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}
