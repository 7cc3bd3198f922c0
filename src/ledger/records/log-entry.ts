import type { Outcome } from '../../model/index.ts';
import { intentAt, NEWLINE, type PackedIntent } from './intents.ts';

/**
 * The content of one write into the log. Its text is lines of JSON: the first has the ends, and each intent has two, as
 * `encodeIntent` makes them.
 */
export interface LogEntry {
  readonly intents: readonly PackedIntent[];
  readonly ends: readonly PackedEnd[];
}

/** The outcome of a record whose intent is in the log or in the tables. */
export type PackedEnd = readonly [seq: number, outcome: Outcome];

/** The text of an entry, in pieces, so that intents are not copied twice. */
export function entryPieces(
  intents: readonly Buffer[],
  ends: readonly PackedEnd[],
): readonly (string | Buffer)[] {
  return [`${JSON.stringify(ends)}\n`, ...intents];
}

/** Reads the text of an entry. It also reads those of earlier versions, which are one object. */
export function decodeLogEntry(text: Buffer): LogEntry {
  if (text[0] === OPENING_BRACE) return JSON.parse(text.toString()) as LogEntry;
  let at = text.indexOf(NEWLINE) + 1;
  const ends = JSON.parse(text.toString('utf8', 0, at)) as PackedEnd[];
  const intents: PackedIntent[] = [];
  while (at < text.length) {
    const { intent, end } = intentAt(text, at);
    intents.push(intent);
    at = end;
  }
  return { intents, ends };
}

const OPENING_BRACE = 0x7b;
