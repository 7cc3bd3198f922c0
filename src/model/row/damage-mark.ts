import { createHash } from 'node:crypto';
import { isOwnColumn, type Row, surplusIn } from './row.ts';

/** Codes of damage that only the bytes of the file show. A rewritten row looks intact. */
const UNSEEN: ReadonlySet<string> = new Set([
  'ragged-row',
  'bad-bytes',
  'unterminated-quote',
  'text-after-quote',
  'cell-too-long',
  'formula-without-value',
]);

/** Returns the code of such damage in a row, if any. */
export function unseenDamage({ issues }: Pick<Row, 'issues'>): string | undefined {
  return issues?.find(({ code }) => UNSEEN.has(code))?.code;
}

/** Mark of a damaged row after its message in a report, such as `[ragged-row 3f9a2c01b7de]`. */
export interface DamageMark {
  readonly code: string;
  /** See `contentDigest`. */
  readonly digest: string;
  /** Index in the message. */
  readonly at: number;
}

/** Builds the mark from the row's content, so that an uncorrected row is recognised in any file it was copied to. */
export function damageMark(code: string, header: readonly string[], cells: readonly string[]): string {
  return `[${code} ${contentDigest(header, cells)}]`;
}

export function damageMarkIn(message: string): DamageMark | undefined {
  const found = /\[([a-z-]+) ([0-9a-f]{12})\]\s*$/.exec(message);
  const [, code = '', digest = ''] = found ?? [];
  return found && UNSEEN.has(code) ? { code, digest, at: found.index } : undefined;
}

/** Prefix of surplus cells in messages of reports that have no column for them: those of earlier versions. */
const BEYOND = '(beyond the last column: ';

/** Splits a message of a report from the parts about its own row: the mark, and surplus cells. */
function partsOf(text: string): { readonly message: string; readonly surplus: string } {
  const unmarked = text.slice(0, damageMarkIn(text)?.at).trim();
  const at = unmarked.indexOf(BEYOND);
  return at < 0
    ? { message: unmarked, surplus: '' }
    : {
        message: unmarked.slice(0, at).trim(),
        surplus: unmarked.slice(at + BEYOND.length).replace(/\)$/, ''),
      };
}

/** Returns a message of a report without the parts about its own row. */
export function messageIn(text: string): string {
  return partsOf(text).message;
}

/** Returns the surplus cells in a message of an earlier version's report, joined; '' if it has none. */
export function surplusInMessage(text: string): string {
  return partsOf(text).surplus;
}

/** Quotes the earlier message once, however often the row is imported again. */
export function notCorrected(run: string, earlierMessage: string): string {
  const known = /not corrected since the run .*$/s.exec(earlierMessage)?.[0].trim();
  return (
    known ??
    `not corrected since the run ${run} refused it (if it is right as it is, clear the cell in storeport_code): ${earlierMessage.trim()}`
  );
}

/**
 * Returns a digest of a row's content that does not change when a spreadsheet or a script rewrites the row. It ignores
 * column order, empty columns, encoding, line ends, blanks, quotes, capitals and number formats. It also ignores the
 * columns that the tool adds, but for surplus cells, which are data of the source.
 */
export function contentDigest(header: readonly string[], cells: readonly string[]): string {
  const parts: string[] = [];
  for (const [index, name] of header.entries()) {
    if (isOwnColumn(name)) continue;
    const cell = plain(cells[index] ?? '');
    if (cell !== '') parts.push(`${plain(name)}\u0000${cell}`);
  }
  const surplus = plain(surplusIn(header, cells));
  if (surplus !== '') parts.push(`\u0000${surplus}`);
  return createHash('sha256').update(parts.sort().join('\u0001')).digest('hex').slice(0, 12);
}

function plain(text: string): string {
  const words = text
    .normalize('NFC')
    // Encodings without this character write a question mark instead.
    .replaceAll('\uFFFD', '?')
    .replaceAll('\u0000', '')
    .replace(/\s+/g, ' ')
    // The guards of a copy in a report; see `defuse`.
    .replace(/(^|[,;| ])[' ]+/g, '$1')
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
