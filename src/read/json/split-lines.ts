import { LF } from '../bytes/bytes.ts';
import { createHold, type Item, type ItemPlace, type ItemSplitter, isBlank } from './items.ts';

/** Splits NDJSON: one item a line, so that a broken one does not affect the others. Blank lines are not items. */
export function splitLines(begin: ItemPlace, maxBytes: number, onItem: (item: Item) => void): ItemSplitter {
  const hold = createHold(maxBytes);
  let { line, lineStart } = begin;
  /** Offset of the chunk. */
  let base = begin.offset;

  function endLine(): void {
    const { bytes, tooLong } = hold.take();
    let from = 0;
    let to = bytes.length;
    while (from < to && isBlank(bytes[from])) from++;
    while (to > from && isBlank(bytes[to - 1])) to--;
    if (from === to) return;
    onItem({
      bytes: bytes.subarray(from, to),
      tooLong,
      start: { offset: lineStart + from, line, lineStart },
    });
  }

  return {
    feed(chunk, end) {
      for (let at = 0; at < chunk.length; ) {
        const stop = chunk.indexOf(LF, at);
        hold.add(chunk.subarray(at, stop === -1 ? chunk.length : stop));
        if (stop === -1) break;
        endLine();
        at = stop + 1;
        line += 1;
        lineStart = base + at;
      }
      base += chunk.length;
      if (end) endLine();
    },
  };
}
