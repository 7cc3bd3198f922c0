/** Currency words of shops that are neither a Unicode sign nor an ISO 4217 code. */
const WORDS = [
  'kr',
  'kr.',
  'zł',
  'Kč',
  'Ft',
  'lei',
  'лв',
  'лв.',
  'руб',
  'руб.',
  'р.',
  'Fr.',
  'DA',
  'د.ج',
  'دج',
  'ر.س',
  'د.إ',
];

/** `€`, `US$`, `R$`; a number never begins or ends like that. */
const SIGN = /^\p{Lu}{0,3}\p{Sc}$/u;

/** Any currency, or the ways in which one may be written. */
export type Currency = true | string | readonly string[];

/**
 * Removes a currency from the beginning or end of a number, with the blanks between them. A minus may precede or follow
 * it. Other text is kept, so that the number step reports it.
 */
export function createCurrencyRemover(currency: Currency): (text: string) => string {
  const known = currency === true ? everyCurrency() : new Set([currency].flat().map(fold));
  const isCurrency = (word: string) => known.has(fold(word)) || (currency === true && SIGN.test(word));
  return (text) => {
    const [, sign = '', rest = ''] = /^([+-]?)\s*(.*)$/su.exec(text) ?? [];
    const first = rest.search(/[\d+-]/);
    if (first > 0 && isCurrency(rest.slice(0, first).trim())) return sign + rest.slice(first);
    const last = endOfDigits(rest);
    return last > 0 && isCurrency(rest.slice(last).trim()) ? sign + rest.slice(0, last) : text;
  };
}

let all: ReadonlySet<string> | undefined;

/** Made once: a suggestion makes many steps that know every currency. */
function everyCurrency(): ReadonlySet<string> {
  all ??= new Set([...Intl.supportedValuesOf('currency'), ...WORDS].map(fold));
  return all;
}

/** Index behind the last digit; 0 if there is none. */
function endOfDigits(text: string): number {
  let end = text.length;
  while (end > 0 && !isDigit(text.charCodeAt(end - 1))) end--;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function fold(word: string): string {
  return word.toLowerCase();
}
