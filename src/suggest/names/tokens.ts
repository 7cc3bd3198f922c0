/**
 * The words of a column's name, and those in its round brackets, which mostly explain: `Price (excl. VAT)`, `Weight (kg)`.
 * Square brackets hold names, of shops or currencies: `Price [Mill Lane]`.
 */
export interface NameTokens {
  readonly words: readonly string[];
  readonly inBrackets: readonly string[];
}

const BRACKETS = /[(（]([^)）]*)[)）]/g;
const SQUARE_BRACKETS = /[[{［【][^\]}］】]*[\]}］】]/g;
/** `ProductName`, `URLKey`, `Image1`, `2nd`. */
const BORDERS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu;
/** Only a text with these can have borders. The words of the dictionaries have none, and there are thousands. */
const HAS_BORDERS = /[\p{Lu}\d]/u;
const PLAIN = /^[a-z\d]*$/;
const MARKS = /(?<=\p{Script=Latin}\p{M}*)\p{M}/gu;

/** Characters of a name that are read: a longer one is a damaged file, and brackets without an end take the square of them. */
const MAX_NAME_LENGTH = 1000;

/** Splits a name into words: lower case, Latin letters without their marks. */
export function tokensOf(name: string): NameTokens {
  const text = name
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKC')
    .replace(SQUARE_BRACKETS, ' ')
    .replaceAll('%', ' percent ');
  const inBrackets = [...text.matchAll(BRACKETS)].flatMap(([, inside = '']) => wordsIn(inside));
  return { words: wordsIn(text.replace(BRACKETS, ' ')), inBrackets };
}

/** The sign for "number", as in `N° commande`. */
const NUMERO = /[°º№]/;
const NUMEROS = /(^|[^\p{L}])(?:[nN][°º]|№)/gu;

/** Words of a text, folded as `foldWord` does. */
export function wordsIn(text: string): string[] {
  const spelled = NUMERO.test(text) ? text.replaceAll(NUMEROS, '$1num ') : text;
  return (HAS_BORDERS.test(spelled) ? spelled.replace(BORDERS, ' ') : spelled)
    .split(/[^\p{L}\p{N}\p{M}ー]+/u)
    .map(foldWord)
    .filter((word) => word !== '');
}

/** Lower case, and Latin letters without their marks, so that `Précio` and `PRECIO` are one word. */
export function foldWord(word: string): string {
  if (PLAIN.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('æ', 'ae');
}
