/** What can be wrong with the text of a cell whatever it means. The same cell cleaned again stays as it is. */
export interface Hygiene {
  /** Stable word for reports. */
  readonly kind: string;
  /** For people: what was there. */
  readonly says: string;
  readonly clean: (text: string) => string;
}

/**
 * Characters that nobody sees, and that keep two equal texts apart. Not those that join or direct letters (U+200C to
 * U+200F): scripts and emoji need them.
 */
const INVISIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u00AD\u200B\u2060\uFEFF]/g;

/** In the order in which they are done. */
export const HYGIENE: readonly Hygiene[] = [
  {
    kind: 'invisible',
    says: 'invisible characters',
    clean: (text) => text.replace(INVISIBLE, ''),
  },
  {
    kind: 'line-ends',
    says: 'line ends of other systems inside of a cell',
    clean: (text) => text.replace(/\r\n?/g, '\n'),
  },
  {
    // An é may be one character or two that look like one.
    kind: 'unicode',
    says: 'letters written in another way of Unicode (NFC)',
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

/** The clean text of a cell; `changed` is told of each kind that was found, with the text before it and after. */
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
