import { EXPORTABLE_NAMES, IMPORTABLE_NAMES, READ_ONLY_NAMES } from '../../resources/names.ts';

/** Names of resources as the help shows them, made from the one list of names. */
export const IMPORTABLE_TEXT = joinWords(IMPORTABLE_NAMES, 'or');
export const EXPORTABLE_TEXT = joinWords(EXPORTABLE_NAMES, 'or');
export const READ_ONLY_TEXT = joinWords(READ_ONLY_NAMES, 'and');

/** `a, b or c` */
function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
