/** True for `8.05E+12`: a long number as a spreadsheet saves it. The digits that it does not show are lost. */
export function isRounded(text: string): boolean {
  return /^[+-]?\d(?:[.,]\d+)?E\+\d{1,3}$/.test(text);
}

/** Checks the digits of a GTIN (EAN, UPC, ISBN). Undefined if they are right, or if the text is not a GTIN. */
export function faultOfGtin(text: string): 'wrong-check-digit' | 'lost-zero' | undefined {
  const digits = text.replaceAll(/[ -]/g, '');
  if (/^(?:\d{8}|\d{12,14})$/.test(digits)) return hasCheckDigit(digits) ? undefined : 'wrong-check-digit';
  // One digit less than an EAN-8 or a UPC.
  if (/^(?:\d{7}|\d{11})$/.test(digits) && hasCheckDigit(`0${digits}`)) return 'lost-zero';
  return undefined;
}

/** GS1 General Specifications, 7.9: from the right the digits have weights 1 and 3 in turn; the sum must end in 0. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** Countries whose postcodes have five digits, and may begin with 0: ISO 3166 codes and names, in lower case. */
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

/** True if a postcode is too short for its country: 2138 of Boston, which is 02138. */
export function hasLostZero(postcode: string, country: string): boolean {
  return /^\d{3,4}$/.test(postcode) && FIVE_DIGITS.has(country.trim().toLowerCase());
}
