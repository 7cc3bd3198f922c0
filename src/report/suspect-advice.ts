import type { SuspectCode } from '../model/index.ts';

/** Descriptions of the damage, with what to do. */
export const SUSPECT_ADVICE: Readonly<Record<SuspectCode, string>> = {
  'decoded-twice':
    'Letters that were decoded twice: export the file again as UTF-8, with no other program in between.',
  'lost-letter':
    'Letters that were lost before the file was written: export it again as UTF-8, or write them in.',
  rounded:
    'Numbers that a spreadsheet has rounded: their digits are lost. Go back to the original, and open it with these columns as text.',
  'wrong-check-digit':
    'The check digit does not match the other digits: compare with the number on the goods.',
  'formula-error':
    'Errors of formulas in a spreadsheet, exported as text: write the values into these cells, or empty them.',
  'null-word':
    'Words that programs write for "no value", exported as text: empty these cells if that is meant.',
  'same-sku':
    'Variants of one product that share a SKU: if these are not the same goods, give each a SKU of its own.',
  'not-a-phone-number': 'Texts that are not phone numbers: correct these cells, or empty them.',
  'not-a-postcode': 'Texts without a digit as postcodes: correct these cells, or empty them.',
  'not-a-country-code':
    'Texts that are not codes of countries: write codes such as FR, or map the column to the name of the country.',
  'not-a-currency-code': 'Texts that are not codes of currencies: write codes such as EUR.',
  'same-options':
    'Variants of one product with the same options, so that nobody can choose between them: give each another value, or remove one.',
  'no-such-option':
    'Values of variants that no option of their product lists, so that nobody can choose them: add them to the options.',
  'lost-zero':
    'Numbers without their leading zero, which a spreadsheet has removed: open the original with these columns as text.',
};
