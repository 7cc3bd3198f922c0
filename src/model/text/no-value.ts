/** Errors that spreadsheets show for a failed formula, in their languages. */
const ERRORS: readonly string[] = [
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NULL!', '#NUM!', '#SPILL!', '#CALC!', '#ERROR!'],
  // German, French, Spanish, Italian and Portuguese, if they differ.
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
  ...['#N/D', '#¡REF!', '#¡VALOR!', '#¡DIV/0!', '#¿NOMBRE?', '#¡NUM!', '#¡NULO!'],
  ...['#RIF!', '#VALORE!', '#NOME?', '#VALOR!', '#NÚM!'],
];
/** Words that programs write for a missing value, in their exact case: Null is also a surname. */
const WORDS: readonly string[] = ['NULL', 'null', '(null)', '<null>', 'None', 'nan', 'NaN', 'undefined'];

export type NoValue = 'formula-error' | 'null-word';

const KINDS: ReadonlyMap<string, NoValue> = new Map([
  ...ERRORS.map((text): [string, NoValue] => [text, 'formula-error']),
  ...WORDS.map((text): [string, NoValue] => [text, 'null-word']),
]);
const LONGEST = Math.max(...[...KINDS.keys()].map((text) => text.length));
/** Longest text with some blanks around it. */
const LONGEST_CELL = LONGEST + 4;

/** Returns the kind of a trimmed text that means "no value"; undefined for any other text. */
export function noValueIn(text: string): NoValue | undefined {
  return text.length > LONGEST ? undefined : KINDS.get(text);
}

const BEGINNINGS: ReadonlySet<number> = new Set([...KINDS.keys()].map((text) => text.charCodeAt(0)));

/** True if a cell has the length and first letter of such a text, or a leading blank. Cheap enough for every cell. */
export function mayBeNoValue(cell: string): boolean {
  return (
    cell.length <= LONGEST_CELL && cell !== '' && (BEGINNINGS.has(cell.charCodeAt(0)) || cell[0] === ' ')
  );
}

/** All such texts, for a search in the bytes of a file. */
export const NO_VALUE_TEXTS: readonly string[] = [...KINDS.keys()];
