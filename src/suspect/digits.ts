/** `8.05E+12`: what a spreadsheet makes of a long number. The digits that it does not show are gone. */
export function isRounded(text: string): boolean {
  return /^[+-]?\d(?:[.,]\d+)?E\+\d{1,3}$/.test(text);
}

/** What is wrong with the digits of a GTIN (EAN, UPC, ISBN); undefined also for what is none. */
export function faultOfGtin(text: string): 'wrong-check-digit' | 'lost-zero' | undefined {
  const digits = text.replaceAll(/[ -]/g, '');
  if (/^(?:\d{8}|\d{12,14})$/.test(digits)) return hasCheckDigit(digits) ? undefined : 'wrong-check-digit';
  // One digit less than an EAN-8, or than a UPC.
  if (/^(?:\d{7}|\d{11})$/.test(digits) && hasCheckDigit(`0${digits}`)) return 'lost-zero';
  return undefined;
}

/** GS1 General Specifications, 7.9: from the right the digits count once and three times in turn; the sum ends in 0. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** Countries whose postcodes have five digits, and may begin with 0: ISO 3166 code and names, folded. */
const FIVE_DIGITS: ReadonlySet<string> = new Set(
  [
    ['us', 'usa', 'united states', 'united states of america'],
    ['de', 'deu', 'germany', 'deutschland', 'allemagne'],
    ['fr', 'fra', 'france'],
    ['es', 'esp', 'spain', 'españa', 'espagne'],
    ['it', 'ita', 'italy', 'italia', 'italie'],
    ['dz', 'dza', 'algeria', 'algérie'],
    ['mx', 'mex', 'mexico', 'méxico'],
    ['tr', 'tur', 'turkey', 'türkiye'],
    ['fi', 'fin', 'finland', 'suomi'],
  ].flat(),
);

/** Whether a postcode is too short for its country: 2138 of Boston, which is 02138. */
export function hasLostZero(postcode: string, country: string): boolean {
  return /^\d{3,4}$/.test(postcode) && FIVE_DIGITS.has(country.trim().toLowerCase());
}
