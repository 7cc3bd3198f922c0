/** A defect that the text of any cell can have, whatever it means. Cleaning is idempotent. */
export interface Hygiene {
  /** Stable word for reports. */
  readonly kind: string;
  /** Description of the defect for people. */
  readonly says: string;
  readonly clean: (text: string) => string;
}

/**
 * Invisible characters that make texts differ that look the same. Not those that join or direct letters (U+200C to
 * U+200F), which scripts and emoji need.
 */
const INVISIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u00AD\u200B\u2060\uFEFF]/g;

/** In the order of their application. */
export const HYGIENE: readonly Hygiene[] = [
  {
    kind: 'invisible',
    says: 'invisible characters',
    clean: (text) => text.replace(INVISIBLE, ''),
  },
  {
    kind: 'line-ends',
    says: 'line ends of other systems inside a cell',
    clean: (text) => text.replace(/\r\n?/g, '\n'),
  },
  {
    // An é may be one code point, or two that look like one.
    kind: 'unicode',
    says: 'letters in another Unicode form (NFC)',
    clean: (text) => text.normalize('NFC'),
  },
  {
    kind: 'blanks',
    says: 'blanks around a cell',
    clean: (text) => text.trim(),
  },
];

/** Printable ASCII without blanks around it, as most cells are. */
const PLAIN = /^(?:[!-~](?:[ -~\n\t]*[!-~])?)?$/;

/** Cleans the text of a cell. `changed` is called with the kind of each defect, and the text before and after. */
export function cleanCell(
  cell: string,
  changed: (kind: string, before: string, after: string) => void,
): string {
  if (PLAIN.test(cell)) return cell;
  let text = cell;
  for (const { kind, clean } of HYGIENE) {
    const after = clean(text);
    if (after !== text) changed(kind, text, after);
    text = after;
  }
  return text;
}
