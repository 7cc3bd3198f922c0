import type { Outcome } from '../../model/index.ts';
import { intentAt, NEWLINE, type PackedIntent } from './intents.ts';

/**
 * The content of one write into the log. Its text is lines of JSON: the first has the ends, and each intent has two, as
 * `encodeIntent` makes them.
 */
export interface LogEntry {
  readonly intents: readonly PackedIntent[];
  readonly ends: readonly LoggedEnd[];
}

/** The outcome of a record whose intent is in the log or in the tables. */
export type LoggedEnd = readonly [seq: number, outcome: Outcome];

/** An end in the log. Nearly all say no more than what comes before `more`, and names take time and room. */
type PackedEnd = readonly [
  seq: number,
  outcome: Outcome['outcome'],
  attempts: number,
  durationMs: number,
  httpStatus: number | null | undefined,
  id: string | null | undefined,
  more?: Pick<Outcome, 'code' | 'field' | 'message' | 'kinds'>,
];

/** The text of an entry, in pieces, so that intents are not copied twice. */
export function entryPieces(
  intents: readonly Buffer[],
  ends: readonly { readonly seq: number; readonly outcome: Outcome }[],
): readonly (string | Buffer)[] {
  return [`${JSON.stringify(ends.map(packEnd))}\n`, ...intents];
}

/** Written out, as `unpackEnd` is, since it runs for every record. */
function packEnd({ seq, outcome }: { readonly seq: number; readonly outcome: Outcome }): PackedEnd {
  const { attempts, durationMs, httpStatus, id, code, field, message, kinds } = outcome;
  if ((code ?? field ?? message ?? kinds) === undefined)
    return [seq, outcome.outcome, attempts, durationMs, httpStatus, id];
  const more = { code, field, message, kinds };
  return [seq, outcome.outcome, attempts, durationMs, httpStatus, id, more];
}

function unpackEnd([seq, outcome, attempts, durationMs, httpStatus, id, more]: PackedEnd): LoggedEnd {
  const plain = { outcome, attempts, durationMs, httpStatus: httpStatus ?? undefined, id: id ?? undefined };
  return [seq, more ? { ...plain, ...more } : plain];
}

/** Reads the text of an entry. */
export function decodeLogEntry(text: Buffer): LogEntry {
  let at = text.indexOf(NEWLINE) + 1;
  const ends = (JSON.parse(text.toString('utf8', 0, at)) as PackedEnd[]).map(unpackEnd);
  const intents: PackedIntent[] = [];
  while (at < text.length) {
    const { intent, end } = intentAt(text, at);
    intents.push(intent);
    at = end;
  }
  return { intents, ends };
}
