/**
 * Formulas in CSV files. A spreadsheet runs a cell that begins with one of `SIGNS`, and reviews and checkouts contain text
 * by strangers. So such cells get an apostrophe when they are written, and lose it when they are read.
 * See https://owasp.org/www-community/attacks/CSV_Injection
 *
 * A spreadsheet may split a line at another separator than the one that the file was written with, depending on its
 * language. Quotes do not prevent that: they have a meaning only where a cell begins. So each part of a text that would
 * be a formula in a cell of its own gets an apostrophe too, and the text begins with one: `a;=1` → `'a;'=1`.
 */

/** Some spreadsheets treat the full-width signs as plain ones. */
const SIGNS = '=+\\-@\uFF1D\uFF0B\uFF0D\uFF20';
/** Characters at which a spreadsheet may split a text, whatever the delimiter of the file is. */
const SEPARATORS = ',;|\\t\\r\\n';
/** Characters that a spreadsheet may drop in front of a formula: controls such as NUL, blanks and invisible ones. */
const DROPPED =
  '\\0-\\x08\\v\\f\\x0E-\\x20\\x7F-\\xA0\\u1680\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uFEFF';
/** Begins a cell that may run. Programs also guard what begins with a tab or a line break. */
const BEGIN = `(?:[\\t\\r\\n]|[${DROPPED}]*[${SIGNS}])`;

const STARTS_FORMULA = new RegExp(`^${BEGIN}`);
/** Behind a separator, quotes are dropped as well. */
const FORMULA = `["${DROPPED}]*[${SIGNS}]`;
const FORMULA_AT = `(?=${FORMULA})`;
/** Parts of a text that a spreadsheet may run, with or without a guard. */
const PARTS = new RegExp(`(?<=[${SEPARATORS}])(?='*${FORMULA})`, 'g');
const GUARDED_PARTS = new RegExp(`(?<=[${SEPARATORS}])'(?='*${FORMULA})`, 'g');
const BARE_PART = new RegExp(`[${SEPARATORS}]${FORMULA_AT}`);

/**
 * For each delimiter, parts behind other separators: cells with the delimiter are quoted, which every reader of it knows.
 * A tab counts always, since other readers drop it in front of a formula.
 */
const LIVE_PART: Readonly<Record<string, RegExp>> = {
  ',': new RegExp(`[;|\\t\\r\\n]${FORMULA_AT}`),
  ';': new RegExp(`[,|\\t\\r\\n]${FORMULA_AT}`),
  '\t': new RegExp(`[,;|\\t\\r\\n]${FORMULA_AT}`),
};

/**
 * Cells with an apostrophe that is no part of their text: before a character that may start a formula, as shop systems
 * write it, and before a cell of digits, as people write it who work in spreadsheets. Two digits stay as they are, since
 * `'68` is a year. `'s-Hertogenbosch` and `'n Abend` are texts.
 */
const GUARDED = new RegExp(`^'+(?:${BEGIN}|(?!\\d\\d(?:-|$))\\d[\\d .,]*(?:-\\d+)?$)`);

/**
 * Source of a pattern for cells that need neither a guard nor quotes, whatever the delimiter is: empty ones, and those that
 * begin as a text does and have no separator and no quote. Most cells match.
 */
export const PLAIN_CELL = `(?:[^'"${SEPARATORS}${DROPPED}${SIGNS}][^"${SEPARATORS}]*)?`;

/** A text without any has no part to guard, and needs no quotes, whatever the delimiter is. */
export const MARKS = new RegExp(`["${SEPARATORS}]`);

const APOSTROPHE = 0x27;

/** For each ASCII character, true if a formula or a guarded cell may begin with it. */
const MAY_START = Array.from({ length: 0x80 }, (_, code) =>
  new RegExp(`['\\t\\r\\n${DROPPED}${SIGNS}]`).test(String.fromCharCode(code)),
);

/** `-5`, `+3.2`, `-1.5e3`, `-1.234,50`: a spreadsheet reads them as numbers and runs nothing. */
const NUMBER = /^[+-]\.?\d[\d.,]*(e[+-]?\d+)?$/i;
/** `+44 20 7946 0958`, `+1 (555) 010-9999` */
const PHONE = /^\+(?=\D*\d)[\d (][\d ().-]*$/;

/**
 * Makes a text harmless in a spreadsheet. Numbers and phone numbers stay unchanged. A text that already looks guarded is
 * guarded once more, so that `restore` recovers every text: `=1` → `'=1` and `'=1` → `''=1`.
 */
export function defuse(text: string, delimiter = ','): string {
  if (!mayStartFormula(text) && !livePart(delimiter).test(text)) return text;
  return isLive(text, delimiter) || restore(text) !== text ? `'${text.replace(PARTS, "'")}` : text;
}

/**
 * Defuses a source cell that is copied to a report. A harmless cell stays as it is, also with an apostrophe: an import
 * reads the same text from both files.
 */
export function defuseLive(cell: string, delimiter = ','): string {
  return isLive(cell, delimiter) ? defuse(restore(cell), delimiter) : cell;
}

/**
 * Defuses a line of texts: each by `defuse`, and a number in the first cell if a reader that does not split at the comma
 * would continue it with the second: `-5,0+cmd|…` is a formula where numbers have a decimal comma.
 */
export function defuseLine(texts: readonly string[], delimiter = ','): string[] {
  return guardedStart(
    texts.map((text) => defuse(text, delimiter)),
    delimiter,
  );
}

/** The same for source cells; see `defuseLive`. */
export function defuseLiveLine(cells: readonly string[], delimiter = ','): string[] {
  return guardedStart(
    cells.map((cell) => defuseLive(cell, delimiter)),
    delimiter,
  );
}

/** True for a line that begins with a number, whose guard depends on the second cell. */
export function isSpared(line: string): boolean {
  return /^ *[+-]/.test(line);
}

const CONTINUES_NUMBER = /^\d.*[^\d.]/s;

function guardedStart(cells: string[], delimiter: string): string[] {
  const [first = '', second = ''] = cells;
  if (isSpared(first) && delimiter === ',' && CONTINUES_NUMBER.test(second)) cells[0] = `'${first}`;
  return cells;
}

/**
 * Reverses `defuse`: `restore(defuse(text)) === text` for every text. Other programs guard the beginning of a cell in the
 * same way, also numbers and phone numbers. Called for every imported cell; for most, the first character decides.
 */
export function restore(cell: string): string {
  return cell.charCodeAt(0) === APOSTROPHE ? withoutGuard(cell) : cell;
}

function withoutGuard(cell: string): string {
  const text = cell.slice(1);
  // `defuse` guards all parts. If one is bare, another program wrote the cell.
  const restored = BARE_PART.test(text) ? text : text.replace(GUARDED_PARTS, '');
  return restored !== text || GUARDED.test(cell) ? restored : cell;
}

function isLive(text: string, delimiter: string): boolean {
  return (mayStartFormula(text) && isFormula(text)) || livePart(delimiter).test(text);
}

function livePart(delimiter: string): RegExp {
  return LIVE_PART[delimiter] ?? BARE_PART;
}

/** False for nearly every text: those that begin with a letter or a digit, and empty ones. */
export function mayStartFormula(text: string): boolean {
  const first = text.charCodeAt(0);
  return first < 0x80 ? (MAY_START[first] as boolean) : first <= LAST_LATIN_BLANK || first >= OGHAM_BLANK;
}

/** Between these are letters only: of Latin, Greek, Cyrillic and other alphabets. */
const LAST_LATIN_BLANK = 0xa0;
const OGHAM_BLANK = 0x1680;

function isFormula(text: string): boolean {
  if (!STARTS_FORMULA.test(text)) return false;
  const bare = withoutBlanks(text);
  return !NUMBER.test(bare) && !PHONE.test(bare);
}

/** Without the blanks at both ends, and no others. A pattern takes the square of a long run of blanks within a text. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end).replace(/^ +/, '');
}
