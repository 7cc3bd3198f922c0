/** What spreadsheets show where a formula failed, in the languages they are sold in. */
const ERRORS: readonly string[] = [
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NULL!', '#NUM!', '#SPILL!', '#CALC!', '#ERROR!'],
  // German, French, Spanish, Italian and Portuguese, where they differ.
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
  ...['#N/D', '#¡REF!', '#¡VALOR!', '#¡DIV/0!', '#¿NOMBRE?', '#¡NUM!', '#¡NULO!'],
  ...['#RIF!', '#VALORE!', '#NOME?', '#VALOR!', '#NÚM!'],
];
/** What programs write where there is nothing, exactly as they write it: somebody may be called Null. */
const WORDS: readonly string[] = ['NULL', 'null', '(null)', '<null>', 'None', 'nan', 'NaN', 'undefined'];

export type NoValue = 'formula-error' | 'null-word';

const KINDS: ReadonlyMap<string, NoValue> = new Map([
  ...ERRORS.map((text): [string, NoValue] => [text, 'formula-error']),
  ...WORDS.map((text): [string, NoValue] => [text, 'null-word']),
]);
const LONGEST = Math.max(...[...KINDS.keys()].map((text) => text.length));
/** With some blanks around it. */
const LONGEST_CELL = LONGEST + 4;

/** Whether a text, without blanks around it, says that there is no value; undefined for any other text. */
export function noValueIn(text: string): NoValue | undefined {
  return text.length > LONGEST ? undefined : KINDS.get(text);
}

const BEGINNINGS: ReadonlySet<number> = new Set([...KINDS.keys()].map((text) => text.charCodeAt(0)));

/** Whether a cell has the length and the first letter of such a text, or begins with a blank: cheap enough for every cell. */
export function mayBeNoValue(cell: string): boolean {
  return (
    cell.length <= LONGEST_CELL && cell !== '' && (BEGINNINGS.has(cell.charCodeAt(0)) || cell[0] === ' ')
  );
}

/** What such texts look like among others: for a first look at bytes. */
export const NO_VALUE_TEXTS: readonly string[] = [...KINDS.keys()];
