/**
 * Spreadsheets run a cell that begins with one of these as a formula, also when it came from a CSV file; reviews
 * and checkouts hold strangers' text. TAB, CR and LF are skipped before the `=` behind them; the full-width
 * signs are taken for the plain ones by some programs.
 * See https://owasp.org/www-community/attacks/CSV_Injection
 */
const STARTS_FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const APOSTROPHE = 0x27;

/** Of each character of ASCII, whether it is one of them, or the apostrophe. */
const MAY_START = Array.from({ length: 0x80 }, (_, code) =>
  "=+-@\t\r\n'".includes(String.fromCharCode(code)),
);

/** `-5`, `+3.2`, `-1.5e3`, `-1.234,50`: a spreadsheet shows them as they are. */
const NUMBER = /^[+-][\d.,]*\d[.,]?(e[+-]?\d+)?$/i;
/** `+44 20 7946 0958`, `+1 (555) 010-9999` */
const PHONE = /^\+[\d (][\d ().-]*$/;

/**
 * Makes a cell harmless in a spreadsheet: one that would run as a formula gets a leading apostrophe, which
 * means "text" there. Numbers and phone numbers are spared.
 *
 * Text that already looks defused gets one more apostrophe, so that `restore` gives every text back as it was:
 * `=1` → `'=1` and `'=1` → `''=1`.
 */
export function defuse(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

/**
 * Defuses a cell of a source that is written again. One that begins with an apostrophe stays as it is: an import removes one
 * apostrophe, and so reads the same text from both files.
 */
export function defuseLive(cell: string): string {
  return cell.charCodeAt(0) === APOSTROPHE ? cell : defuse(cell);
}

/**
 * Undoes `defuse`: `restore(defuse(text)) === text` for every text. Shops' own exports defuse in the same way. It is
 * called for every cell that an import takes, and most end at their first character.
 */
export function restore(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && isFormula(text) ? text.slice(1) : text;
}

/** Whether the text is a formula behind any number of apostrophes. */
function isFormula(text: string): boolean {
  // Nearly every cell ends here: letters, digits, and nothing at all.
  const first = text.charCodeAt(0);
  if (first < 0x80 ? !MAY_START[first] : !(first >= 0xff00)) return false;
  const bare = first === APOSTROPHE ? text.replace(/^'+/, '') : text;
  return STARTS_FORMULA.test(bare) && !NUMBER.test(bare) && !PHONE.test(bare);
}
