import { decodeLogEntry, type LogEntry, type PackedIntent, packedText } from '../../ledger/engine.ts';
import type { RowSeal } from '../row-seal.ts';

/** First byte of an entry whose rows are sealed. Entries without intents are JSON, and have none. */
const SEALED = 1;
const LENGTH_BYTES = 4;
const TEXT_AT = 1 + LENGTH_BYTES;
const NEWLINE = 0x0a;

/** The rows of an intent whose key is lost. */
const NO_ROWS = Buffer.from('[]');

/**
 * The bytes of an entry for the database. The rows of all its intents are sealed together, since each sealing costs more than its
 * bytes do. The rest stays plain: which records may have been sent must be known without any key.
 */
export function sealedEntry(pieces: readonly (string | Buffer)[], seal: RowSeal): Buffer {
  const texts: Buffer[] = [];
  const rows: Buffer[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') texts.push(Buffer.from(piece));
    else {
      const rowsAt = piece.indexOf(NEWLINE) + 1;
      texts.push(piece.subarray(0, rowsAt));
      rows.push(piece.subarray(rowsAt));
    }
  }
  if (rows.length === 0) return Buffer.concat(texts);
  const head = Buffer.alloc(TEXT_AT);
  head[0] = SEALED;
  head.writeUInt32BE(
    texts.reduce((length, text) => length + text.length, 0),
    1,
  );
  return Buffer.concat([head, ...texts, seal.sealBytes(Buffer.concat(rows))]);
}

/** Decodes an entry of the database. `onLost`: called with the number of each record whose rows cannot be read any more. */
export function openedEntry(body: Buffer, seal: RowSeal, onLost: (seq: number) => void): LogEntry {
  if (body[0] !== SEALED) return decodeLogEntry(body);
  const end = TEXT_AT + body.readUInt32BE(1);
  const [ends = NO_ROWS, ...heads] = linesIn(body.subarray(TEXT_AT, end));
  const opened = seal.openBytes(body.subarray(end));
  const rows = opened && linesIn(opened);
  const lines = heads.flatMap((head, index) => [head, rows?.[index] ?? Buffer.from(`${NO_ROWS}\n`)]);
  const entry = decodeLogEntry(Buffer.concat([ends, ...lines]));
  if (rows === undefined) for (const [seq] of entry.intents) onLost(seq);
  return entry;
}

/** The lines of a text, each with its end. */
function linesIn(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(NEWLINE, at) + 1;
    lines.push(text.subarray(at, end));
    at = end;
  }
  return lines;
}

/** The JSON of open intents for the database. Their rows are sealed texts. */
export function sealedIntents(open: readonly PackedIntent[], seal: RowSeal): string {
  const sealed = open.map(([seq, row, key, kind, rows, ...further]): PackedIntent => {
    const text = Buffer.isBuffer(rows) ? rows.toString() : JSON.stringify(rows);
    return [seq, row, key, kind, Buffer.from(JSON.stringify(seal.seal(text))), ...further];
  });
  return `[${sealed.map(packedText).join()}]`;
}

/** Reads the JSON of open intents. `onLost`: as for `openedEntry`. */
export function openedIntents(text: string, seal: RowSeal, onLost: (seq: number) => void): PackedIntent[] {
  return (JSON.parse(text) as PackedIntent[]).map((intent) => {
    const [seq, row, key, kind, rows, ...further] = intent as readonly unknown[] as StoredIntent;
    if (typeof rows !== 'string') return intent;
    const opened = seal.open(rows);
    if (opened === undefined) onLost(seq);
    return [seq, row, key, kind, opened === undefined ? NO_ROWS : Buffer.from(opened), ...further];
  });
}

type StoredIntent = PackedIntent extends readonly [
  infer Seq,
  infer Row,
  infer Key,
  infer Kind,
  unknown,
  ...infer Further,
]
  ? readonly [Seq, Row, Key, Kind, rows: unknown, ...Further]
  : never;
