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

/**
 * Codes of damage within one cell. The row is held until that cell is changed: otherwise a correction of another cell would
 * release the damaged value.
 */
const IN_CELL: ReadonlySet<string> = new Set([
  'bad-bytes',
  'unterminated-quote',
  'text-after-quote',
  'cell-too-long',
]);

/** Returns such damage in a row: its code, then a digest of each damaged cell. Undefined if there is none. */
export function unseenDamage({ issues, table, cells }: Pick<Row, 'issues' | 'table' | 'cells'>) {
  const found = issues?.filter(({ code }) => UNSEEN.has(code)) ?? [];
  const [first] = found;
  if (first === undefined) return undefined;
  const columns = new Set(found.flatMap(({ code, column = '' }) => (IN_CELL.has(code) ? column : [])));
  const digests = table.header.flatMap((name, index) =>
    name !== '' && columns.has(name) ? cellDigest(name, cells[index]) : [],
  );
  return [first.code, ...new Set(digests)].join(' ');
}

/** Parts of the text that `unseenDamage` returns. Without digests it is known of the row only. */
export function damageOf(damage: string): Pick<DamageMark, 'code' | 'digests'> {
  const [code = '', ...digests] = damage.split(' ');
  return { code, digests };
}

/** Mark of a damaged row after its message in a report, such as `[ragged-row 3f9a2c01b7de]`. */
export interface DamageMark {
  readonly code: string;
  /** Digests of the damaged cells, or of the row; see `contentDigest`. */
  readonly digests: readonly string[];
  /** Index in the message. */
  readonly at: number;
}

/** Builds the mark from the content, so that an uncorrected row is recognised in any file it was copied to. */
export function damageMark(damage: string, header: readonly string[], cells: readonly string[]): string {
  const known = damageOf(damage).digests.length > 0;
  return `[${known ? damage : `${damage} ${contentDigest(header, cells)}`}]`;
}

export function damageMarkIn(message: string): DamageMark | undefined {
  const found = /\[([a-z-]+(?: [0-9a-f]{12})+)\]\s*$/.exec(message);
  const { code, digests } = damageOf(found?.[1] ?? '');
  return found && UNSEEN.has(code) ? { code, digests, at: found.index } : undefined;
}

/**
 * Returns the columns of damaged cells that are unchanged; `undefined` in place of a column if the whole row is. Empty for
 * a corrected row.
 */
export function unchangedColumns(
  digests: readonly string[],
  header: readonly string[],
  cells: readonly string[],
): readonly (string | undefined)[] {
  const columns = header.filter((name, index) => digests.includes(cellDigest(name, cells[index])));
  if (columns.length > 0) return columns;
  return digests.includes(contentDigest(header, cells)) ? [undefined] : [];
}

function cellDigest(name: string, cell = ''): string {
  return contentDigest([name], [cell]);
}

/** Returns a message of a report without the mark of its own row. */
export function messageIn(text: string): string {
  return text.slice(0, damageMarkIn(text)?.at).trim();
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
  let end = text.length;
  if (text.includes('.')) {
    while (text[end - 1] === '0') end--;
    if (text[end - 1] === '.') end--;
  }
  const digits = text.slice(0, end);
  return digits.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
}
