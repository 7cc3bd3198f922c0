import type { Dialect } from '../../src/read/csv/engine.ts';
import { createSplitter } from '../../src/read/csv/splitter.ts';
import type { Damage } from '../../src/read/messages.ts';

/** CSV in pieces, with the way to read it. */
export interface HostileCsv {
  readonly dialect: Dialect;
  readonly maxRowBytes: number;
  readonly chunks: readonly Buffer[];
}

/** A row as a splitter passes it on, or the error that ended the reading. */
export type SplitRow =
  | {
      readonly cells: readonly string[];
      readonly place: readonly number[];
      readonly raw: string;
      readonly damage?: Damage;
    }
  | { readonly error: string };

/** All rows with their places, their bytes and their damage. `isByLibrary`: csv-parse reads all of them. */
export function splitRows({ dialect, maxRowBytes, chunks }: HostileCsv, isByLibrary: boolean): SplitRow[] {
  const rows: SplitRow[] = [];
  const splitter = createSplitter({
    ...{ dialect, maxRowBytes, file: 'hostile.csv', isByLibrary },
    onRow(cells, span, damage) {
      const raw = damage === undefined ? splitter.raw(span).toString('latin1') : '';
      const place = [span.line, span.start, span.end];
      rows.push({ cells: [...cells], place, raw, ...(damage === undefined ? {} : { damage }) });
    },
  });
  try {
    chunks.forEach((chunk) => {
      for (const _ of splitter.feed(chunk, false));
    });
    for (const _ of splitter.feed(Buffer.alloc(0), true));
  } catch (error) {
    rows.push({ error: (error as Error).message });
  }
  return rows;
}

/** A generator of numbers from 0 to 1, the same for each seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bytes of text: plain, of two to four bytes, blanks, and sequences that are no UTF-8. */
const TEXTS = ['a', 'b1', 'name', 'é', '€', '😀', ' ', '\t', '\ufeff', '\0', '0.5', '=1+1'].map((text) =>
  Buffer.from(text),
);
const DAMAGED = [[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0xaf]].map(
  (bytes) => Buffer.from(bytes),
);
const LINE_ENDS = ['\n', '\n', '\n', '\r\n', '\r\n', '\r', '\n\n', '\r\n\r\n', '\n\r', ''];
const DIALECTS: readonly Dialect[] = [
  ...[',', ';', '\t', '|', ' '].map((delimiter) => ({ delimiter, quote: '"' })),
  { delimiter: ',', quote: "'" },
  { delimiter: ',', quote: '' },
  { delimiter: '€', quote: '"' },
  { delimiter: '::', quote: '"' },
];

/** CSV that is mostly regular, mostly broken, or only bytes, cut anywhere. The same for each seed. */
export function hostileCsv(seed: number): HostileCsv {
  const random = randomFrom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const dialect = random() < 0.6 ? (DIALECTS[0] as Dialect) : one(DIALECTS);
  const quote = Buffer.from(dialect.quote);
  const delimiter = Buffer.from(dialect.delimiter);
  /** The part of cells that break a rule. */
  const broken = one([0, 0, 0.02, 0.1, 0.4]);
  const breaks = [Buffer.from('\n'), Buffer.from('\r'), Buffer.from('\r\n')];

  function text(pieces: readonly Buffer[], most = 5): Buffer {
    const parts = Array.from({ length: below(most) }, () => one(random() < 0.03 ? DAMAGED : pieces));
    // A long text crosses the limits for rows.
    return Buffer.concat(random() < 0.0005 ? [...parts, Buffer.alloc(70_000, 'x')] : parts);
  }
  const quoted = (inside: Buffer) => Buffer.concat([quote, inside, quote]);
  function cell(): Buffer {
    if (random() < broken) {
      const kind = below(7);
      if (kind === 0) return Buffer.concat([text(TEXTS), quote, text(TEXTS)]);
      if (kind === 1) return Buffer.concat([Buffer.from(' '), quoted(text(TEXTS)), Buffer.from(' ')]);
      if (kind === 2) return Buffer.concat([quote, text(TEXTS)]);
      if (kind === 3) return Buffer.concat([quoted(text(TEXTS)), text(TEXTS)]);
      if (kind === 4) return Buffer.concat([quote, quote, quote]);
      if (kind === 5) return text([quote, delimiter, ...breaks, ...TEXTS], 12);
      return Buffer.concat([Buffer.from('\t '), text(TEXTS), quote]);
    }
    if (random() < 0.6) return text(TEXTS.filter((piece) => !piece.equals(delimiter)));
    return quoted(text([...TEXTS, ...breaks, delimiter, Buffer.concat([quote, quote])], 8));
  }
  function row(): Buffer {
    const cells = Array.from({ length: 1 + below(6) }, cell);
    return Buffer.concat([
      ...cells.flatMap((each, index) => (index === 0 ? [each] : [delimiter, each])),
      Buffer.from(one(LINE_ENDS)),
    ]);
  }
  const bytes = Buffer.concat(Array.from({ length: below(14) }, row));
  const maxRowBytes = one([12, 40, 300, 65_000, 1_000_000, 1_000_000, 1_000_000]);
  return { dialect, maxRowBytes, chunks: cutAnywhere(bytes, random) };
}

function cutAnywhere(bytes: Buffer, random: () => number): Buffer[] {
  const longest = [1, 3, 10, 100, 100_000][Math.floor(random() * 5)] as number;
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    // Long texts byte by byte would take seconds.
    const size = 1 + Math.floor(random() * (bytes.length > 5000 ? 20_000 : longest));
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
