import * as z from 'zod';
import { defineStep } from './step.ts';

/** Words that begin a last name: `van der Berg`, `de la Cruz`, `bin Said`, `O' Brien`. */
const PARTICLES = new Set(
  (
    'van von vom der den het de del della dello degli di da do dos das du des la le les lo los las el al zu zum zur ter ten te ' +
    "af av bin ibn bint abu san saint st st. mac mc o' d' 't 's"
  ).split(' '),
);
const TITLES = /^(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|mme|mlle|monsieur|madame|sig|sr|sra|srta|ing)\.?$/i;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|esq|ph\.?\s?d|m\.?d|mba|dds|cpa|b\.?sc|m\.?sc|m\.?a)\.?$/i;

/** Words of firms that are no names of people in any case. */
const COMPANY =
  /(?:^|[\s,(])(?:gmbh|mbh|g\.m\.b\.h\.|ohg|ug|e\.\s?v\.|e\.\s?k\.|ltd|limited|inc|incorporated|corp|corporation|company|llc|llp|plc|pty|s\.\s?a\.(?:\s?s\.)?|s\.\s?r\.\s?l\.|s\.\s?l\.|s\.\s?p\.\s?a\.|s\.\s?a\.\s?r\.\s?l\.|srl|sarl|spa|lda|ltda|eurl|b\.\s?v\.|n\.\s?v\.|bv|nv|oy|oyj|aps|a\/s|s\.\s?r\.\s?o\.|d\.\s?o\.\s?o\.|sp\.\s?z\s?o\.\s?o\.|kft|zrt|ооо|зао|тов|co\.,?\s?ltd|& (?:co|sons|söhne|partners|associates))(?:\.|(?=[\s,)]|$))/iu;
/** The same in capitals, which are letters of names otherwise. */
const COMPANY_IN_CAPITALS = /\s(?:AG|KG|SE|AB|AS|SA|SAS|SL|KK|Co\.)$/;
/** Words of firms in scripts without blanks between words. */
const COMPANY_ANYWHERE = /株式会社|有限会社|合同会社|㈱|㈲|有限公司|股份公司|주식회사|유한회사|㈜|\(주\)/u;
/** Scripts in which the family name comes first. */
const FAMILY_FIRST =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・]+\s+[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・]+$/u;

/** The two names of a person; undefined for one that the text does not have. */
interface NameParts {
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

export const person = defineStep<keyof NameParts>({
  name: 'person',
  doc:
    'Takes the first or the last name out of a whole one. `Doe, John` has the last name first. Otherwise the last word is the last ' +
    'name, with particles such as `van der` and suffixes such as `Jr.`; a single word, or a last name alone such as `van Gogh`, is a ' +
    'first name. The name of a company, which has a word such as `GmbH` or `Ltd`, is not cut: it is both names, since the store requires both of a customer.',
  args: z.enum(['first', 'last']),
  makes: 'text',
  examples: [
    { args: 'first', in: 'Ann Mary Person', out: 'Ann Mary' },
    { args: 'last', in: 'Ann Mary Person', out: 'Person' },
    { args: 'first', in: 'Doe, John', out: 'John' },
    { args: 'last', in: 'Doe, John', out: 'Doe' },
    { args: 'last', in: 'Jan van der Berg', out: 'van der Berg' },
    { args: 'last', in: 'Dr. Bob Roe Jr.', out: 'Roe Jr.' },
    { args: 'first', in: 'Cher', out: 'Cher' },
    { args: 'last', in: 'Cher' },
    { args: 'last', in: 'Alder Joinery Ltd', out: 'Alder Joinery Ltd' },
  ],
  make: (part) => (text) => splitName(text)[part],
});

/** Splits the whole name of a person. A company has its name as both. */
export function splitName(text: string): NameParts {
  const whole = text.replace(/\s+/g, ' ').trim();
  if ([COMPANY, COMPANY_IN_CAPITALS, COMPANY_ANYWHERE].some((form) => form.test(whole)))
    return { first: whole, last: whole };
  const parts = whole.split(/\s?[,，،]\s?/).filter((part) => part !== '');
  const suffixes: string[] = [];
  while (parts.length > 1 && SUFFIX.test(parts.at(-1) as string)) suffixes.unshift(parts.pop() as string);
  const [before = '', ...after] = parts;
  const { first, last } = after.length > 0 ? { last: before, first: after.join(', ') } : splitWords(before);
  const withSuffixes = (name: string) => [name, ...suffixes].join(', ');
  return last === undefined ? { first: first && withSuffixes(first) } : { first, last: withSuffixes(last) };
}

function splitWords(whole: string): NameParts {
  const words = whole.split(' ');
  if (FAMILY_FIRST.test(whole)) return { last: words[0], first: words[1] };
  let from = words.length - 1;
  while (from > 1 && SUFFIX.test(words[from] as string)) from -= 1;
  while (from > 1 && isParticle(words[from - 1] as string)) from -= 1;
  // Ortega y Gasset
  if (from > 2 && words[from - 1] === 'y') from -= 2;
  // A last name alone, such as `de la Cruz`. In capitals, the first word may be a first name: Van Morris.
  const isLastOnly = words.slice(0, from).every((word) => PARTICLES.has(word));
  if (isLastOnly) return { first: whole };
  const given = words.slice(0, from);
  const isTitle = given.every((word) => TITLES.test(word));
  return { first: isTitle ? undefined : given.join(' '), last: words.slice(from).join(' ') };
}

function isParticle(word: string): boolean {
  return PARTICLES.has(word.toLowerCase().replace('’', "'"));
}
