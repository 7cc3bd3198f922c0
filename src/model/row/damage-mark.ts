import { createHash } from 'node:crypto';
import { isOwnColumn, type Row } from './row.ts';

/** Codes of damage that only the bytes of a file show: once the row is written anew, it looks sound. */
const UNSEEN: ReadonlySet<string> = new Set([
  'ragged-row',
  'bad-bytes',
  'unterminated-quote',
  'text-after-quote',
  'cell-too-long',
]);

/** The code of such damage in a row as it was read. */
export function unseenDamage({ issues }: Pick<Row, 'issues'>): string | undefined {
  return issues?.find(({ code }) => UNSEEN.has(code))?.code;
}

/** What a report says of a damaged row behind its message, such as `[ragged-row 3f9a2c01b7de]`. */
export interface DamageMark {
  readonly code: string;
  /** See `contentDigest`. */
  readonly digest: string;
  /** Where it begins in the message. */
  readonly at: number;
}

/** Ties a row to its damage by its content, so that a row that comes back uncorrected is known wherever it was written. */
export function damageMark(code: string, header: readonly string[], cells: readonly string[]): string {
  return `[${code} ${contentDigest(header, cells)}]`;
}

export function damageMarkIn(message: string): DamageMark | undefined {
  const found = /\[([a-z-]+) ([0-9a-f]{12})\]\s*$/.exec(message);
  const [, code = '', digest = ''] = found ?? [];
  return found && UNSEEN.has(code) ? { code, digest, at: found.index } : undefined;
}

/** Before cells of a row that no column of the header has. */
export const BEYOND = '(beyond the last column: ';

/** A message in a report without what it says of its own row only: the mark, and cells beyond the header. */
export function messageIn(text: string): string {
  const unmarked = text.slice(0, damageMarkIn(text)?.at);
  const at = unmarked.indexOf(BEYOND);
  return unmarked.slice(0, at < 0 ? undefined : at).trim();
}

/** What was said before is repeated once, however often the row comes back. */
export function notCorrected(run: string, before: string): string {
  const known = /not corrected since the run .*$/s.exec(before)?.[0].trim();
  return (
    known ??
    `not corrected since the run ${run} refused it (if it is right as it is, clear the cell in storeport_code): ${before.trim()}`
  );
}

/**
 * Digest of what a row says. It stays the same when a spreadsheet or a script writes the row again: with its columns in
 * another order, without empty ones, in another encoding, with other line ends, blanks, quotes, capitals or ways to write
 * a number. The columns of the tool do not count.
 */
export function contentDigest(header: readonly string[], cells: readonly string[]): string {
  const said: string[] = [];
  for (const [index, name] of header.entries()) {
    if (isOwnColumn(name)) continue;
    const cell = plain(cells[index] ?? '');
    if (cell !== '') said.push(`${plain(name)}\u0000${cell}`);
  }
  return createHash('sha256').update(said.sort().join('\u0001')).digest('hex').slice(0, 12);
}

function plain(text: string): string {
  const words = text
    .normalize('NFC')
    // Encodings without this sign have a question mark in its place.
    .replaceAll('\uFFFD', '?')
    .replaceAll('\u0000', '')
    .replace(/\s+/g, ' ')
    .replace(/^[' ]+/, '')
    .trimEnd()
    .toLowerCase();
  return NUMBER.test(words) ? plainNumber(words) : words;
}

const NUMBER = /^[+-]?\d+(\.\d*)?$/;

/** `0017` → `17`, `+12.50` → `12.5` */
function plainNumber(text: string): string {
  const digits = text.includes('.') ? text.replace(/\.?0*$/, '') : text;
  return digits.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
}
