/**
 * First characters of a cell that spreadsheets run as a formula, also from a CSV file. Reviews and checkouts contain
 * text by strangers. Spreadsheets skip TAB, CR and LF before a `=`, and some treat full-width signs as plain ones.
 * See https://owasp.org/www-community/attacks/CSV_Injection
 */
const STARTS_FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const APOSTROPHE = 0x27;

/** For each ASCII character, true if a formula or a defused cell may begin with it. */
const MAY_START = Array.from({ length: 0x80 }, (_, code) =>
  "=+-@\t\r\n'".includes(String.fromCharCode(code)),
);

/** `-5`, `+3.2`, `-1.5e3`, `-1.234,50`: a spreadsheet reads them as numbers and runs nothing. */
const NUMBER = /^[+-][\d.,]*\d[.,]?(e[+-]?\d+)?$/i;
/** `+44 20 7946 0958`, `+1 (555) 010-9999` */
const PHONE = /^\+[\d (][\d ().-]*$/;

/**
 * Makes a cell harmless in a spreadsheet. A cell that would run as a formula gets a leading apostrophe, which marks it
 * as text there. Numbers and phone numbers stay unchanged.
 *
 * Text that already looks defused gets one more apostrophe, so that `restore` recovers every text:
 * `=1` → `'=1` and `'=1` → `''=1`.
 */
export function defuse(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

/**
 * Defuses a source cell that is copied to a report. A cell that begins with an apostrophe stays unchanged: an import
 * removes one apostrophe, so it reads the same text from both files.
 */
export function defuseLive(cell: string): string {
  return cell.charCodeAt(0) === APOSTROPHE ? cell : defuse(cell);
}

/**
 * Reverses `defuse`: `restore(defuse(text)) === text` for every text. Exports of shop systems defuse in the same way.
 * Called for every imported cell; for most, the first character decides.
 */
export function restore(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && isFormula(text) ? text.slice(1) : text;
}

/** True if the text is a formula after any number of apostrophes. */
function isFormula(text: string): boolean {
  // Fast path for nearly every cell: letters, digits and empty text.
  const first = text.charCodeAt(0);
  if (first < 0x80 ? !MAY_START[first] : !(first >= 0xff00)) return false;
  const bare = first === APOSTROPHE ? text.replace(/^'+/, '') : text;
  return STARTS_FORMULA.test(bare) && !NUMBER.test(bare) && !PHONE.test(bare);
}
