/**
 * Characters that XML cannot have, and a carriage return, which XML reads as a line feed. Workbooks have them as `_x000D_`
 * (ECMA-376 part 1, 22.9.2.19).
 */
const FOREIGN = '\\u0000-\\u0008\\u000B-\\u001F\\uD800-\\uDFFF\\uFFFE\\uFFFF';
/** Also an underscore that would be read as the beginning of such a form. */
const ESCAPED = new RegExp(`[${FOREIGN}]|_(?=x[0-9A-Fa-f]{4}[_${FOREIGN}])`, 'gu');
const MARKUP = /[&<>"]/g;
/** Texts without these characters need nothing. */
const MAY_NEED = /[&<>"_\u0000-\u0008\u000B-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for the XML of a workbook. A spreadsheet, and the reader of this project, restore every text. */
export function xmlText(text: string): string {
  if (!MAY_NEED.test(text)) return text;
  return text
    .replace(ESCAPED, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(MARKUP, (found) => ENTITIES[found] as string);
}

const HAS_OUTER_SPACE = /^\s|\s$|[\n\t]/;

/** The element of a text, which keeps its blanks. */
export function textElement(text: string): string {
  return `<t${HAS_OUTER_SPACE.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t>`;
}
