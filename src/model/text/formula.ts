/**
 * First characters of a cell that spreadsheets run as a formula, also from a CSV file. Reviews and checkouts contain
 * text by strangers. Spreadsheets skip TAB, CR and LF before a `=`, and some treat full-width signs as plain ones.
 * See https://owasp.org/www-community/attacks/CSV_Injection
 */
const STARTS_FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * Cells with an apostrophe that is no part of their text: before a character that may start a formula, as shop systems
 * write it, and before a cell of digits, as people write it who work in spreadsheets. Two digits stay as they are, since
 * `'68` is a year. `'s-Hertogenbosch` and `'n Abend` are texts.
 */
const GUARDED = /^'+(?:[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|(?!\d\d(?:-|$))\d[\d .,]*(?:-\d+)?$)/;

const APOSTROPHE = 0x27;

/** For each ASCII character, true if a formula or a guarded cell may begin with it. */
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
 * Text that already looks guarded gets one more apostrophe, so that `restore` recovers every text:
 * `=1` → `'=1` and `'=1` → `''=1`.
 */
export function defuse(text: string): string {
  return mayStart(text) && (isFormula(text) || GUARDED.test(text)) ? `'${text}` : text;
}

/**
 * Defuses a source cell that is copied to a report. A cell that begins with an apostrophe stays unchanged: an import
 * removes one apostrophe, so it reads the same text from both files.
 */
export function defuseLive(cell: string): string {
  return cell.charCodeAt(0) === APOSTROPHE ? cell : defuse(cell);
}

/**
 * Reverses `defuse`: `restore(defuse(text)) === text` for every text. Other programs guard cells in the same way, also
 * numbers and phone numbers. Called for every imported cell; for most, the first character decides.
 */
export function restore(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && GUARDED.test(text) ? text.slice(1) : text;
}

/** False for nearly every cell: letters, digits and empty text. */
function mayStart(text: string): boolean {
  const first = text.charCodeAt(0);
  return first < 0x80 ? (MAY_START[first] as boolean) : first >= 0xff00;
}

function isFormula(text: string): boolean {
  return STARTS_FORMULA.test(text) && !NUMBER.test(text) && !PHONE.test(text);
}
