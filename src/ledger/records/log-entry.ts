import type { Outcome } from '../../model/index.ts';
import type { PackedIntent } from './intents.ts';

/** The content of one write into the log. */
export interface LogEntry {
  readonly intents: readonly PackedIntent[];
  readonly ends: readonly PackedEnd[];
}

/** The text of an entry, in pieces, so that intents are not parsed to be written. */
export function entryPieces(
  intents: readonly Buffer[],
  ends: readonly PackedEnd[],
): readonly (string | Buffer)[] {
  const pieces: (string | Buffer)[] = ['{"intents":['];
  for (const [index, intent] of intents.entries()) {
    if (index > 0) pieces.push(',');
    pieces.push(intent);
  }
  pieces.push(`],"ends":${JSON.stringify(ends)}}`);
  return pieces;
}

/** The outcome of a record whose intent is in the log or in the tables. */
export type PackedEnd = readonly [seq: number, outcome: Outcome];
