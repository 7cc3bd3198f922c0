import { cutText } from '../../model/index.ts';
import type { ColumnCandidate } from '../match/candidate.ts';
import { choices, flags } from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import { companyKinds, isCompanyName, personPart } from '../profile/company-words.ts';
import { isFamilyFirstLanguage, orderByCells } from '../profile/name-order.ts';
import { isBlankCell } from '../profile/profile.ts';
import { wordsOfState } from '../profile/status-words.ts';
import type { RuleText } from './rules.ts';

/** The rules that split a whole name into two. */
export interface WholeName {
  readonly first: RuleText;
  readonly last: RuleText;
  readonly doubt: string;
}

/** Matches a family name with a title before it, and the rest; not a name with a comma, which has its own order. */
const FAMILY_FIRST = '^\\s*((?:[Dd]r\\.?\\s+|[Ii]fj\\.\\s+|[Ii]d\\.\\s+)?[^\\s,]+)\\s+([^,]+)$';

/** Matches the name of a company where the order of words is exchanged, since a person has its words in another order. */
const LEGAL_FORM =
  '(?:^|[\\s"«(])(?:ООО|ЗАО|ОАО|ПАО|АО|ИП|ТОВ|ФОП|ПП|Kft|Bt|Zrt|Nyrt|GmbH|Ltd|Inc|LLC|AB|AG|SA|SAS|SARL|SRL|BV|Oy|Co|s\\.r\\.o|z o\\.o|Công ty)(?:[\\s".,»)]|$)';

/** A column that says which customers are companies. */
export interface CompanyFlag {
  readonly candidate: ColumnCandidate;
  /** Its words for a company. */
  readonly words: readonly string[];
}

/** Concepts of columns that may say the kind of a customer. */
const OF_KIND = ['type', 'group', 'customer', 'company', 'contact'] as const;

/** The column that says which customers are companies: by words such as `Företag`, or by yes and no. */
export function companyFlag(columns: readonly ColumnCandidate[]): CompanyFlag | undefined {
  for (const candidate of columns) {
    const { reading, profile } = candidate;
    const differs = profile.distinct.size > 1 || profile.fillRate < 1;
    if (!differs || choices(candidate) === 0 || !OF_KIND.some((concept) => says(reading, concept))) continue;
    const kinds = companyKinds(profile.distinct);
    const isFlag = says(reading, 'company') && flags(candidate) > 0;
    const words = isFlag ? wordsOfState(profile.distinct, 'PUBLISH') : kinds;
    if (words.length > 0) return { candidate, words };
  }
  return undefined;
}

/**
 * Splits the whole names of a column. The family name comes first if the cells, or the name of the column, show it. The name of a company is
 * not split.
 */
export function splitWholeName(candidate: ColumnCandidate, flag?: CompanyFlag): WholeName {
  const { name, profile } = candidate;
  const isCompany = flag ? companyRows(flag) : () => false;
  const flagged = (candidate.cells ?? []).filter((cell, row) => !isBlankCell(cell) && isCompany(row));
  const known = new Set(flagged.map((cell) => cell.trim()));
  const companies = profile.filled.filter((cell) => isCompanyName(cell) && !known.has(cell));
  const people = profile.filled.filter((cell) => !companies.includes(cell) && !known.has(cell));
  const isExchanged = (orderByCells(people) ?? orderByName(candidate)) === 'family';
  const turned = (cell: string) =>
    isExchanged ? cell.replace(new RegExp(FAMILY_FIRST, 'u'), '$1, $2') : cell;
  const split = { from: name, ...(isExchanged ? { replace: { match: FAMILY_FIRST, with: '$1, $2' } } : {}) };
  const isLegal = { from: name, when: { [name]: { matches: LEGAL_FORM } } };
  const rule = (part: 'first' | 'last'): RuleText => {
    const ofPerson = { ...split, person: part };
    const whole = [
      ...(flag ? [{ from: name, when: whenCompany(flag) }] : []),
      ...(isExchanged ? [isLegal] : []),
    ];
    return whole.length > 0 ? [...whole, ofPerson] : ofPerson;
  };
  const shown = people.find((cell) => personPart('last', turned(cell)) !== undefined);
  const first = shown === undefined ? undefined : personPart('first', turned(shown));
  const doubts = [
    isExchanged
      ? 'the whole name is split into two, with the family name first'
      : 'the whole name is split into two',
    ...(shown === undefined || first === undefined
      ? []
      : [`${quoted(first)} is the first name of ${quoted(shown)}`]),
    ...(flagged.length === 0
      ? []
      : [`a company by ${flag?.candidate.name}, such as ${quoted(flagged[0] ?? '')}, has it as both names`]),
    ...(companies.length === 0
      ? []
      : [
          `${companies.length} of ${profile.filled.length} names look like companies, such as ${quoted(companies[0] ?? '')}, and are not split`,
        ]),
  ];
  return { first: rule('first'), last: rule('last'), doubt: doubts.join('; ') };
}

function orderByName({ name, reading: { terms } }: ColumnCandidate): 'given' | 'family' | undefined {
  const last = terms.findIndex((term) => term.includes('last'));
  const first = terms.findIndex((term) => term.includes('first'));
  if (last >= 0 && first >= 0 && last !== first) return last < first ? 'family' : 'given';
  return isFamilyFirstLanguage(name) ? 'family' : undefined;
}

function quoted(cell: string): string {
  return JSON.stringify(cutText(cell, MAX_SHOWN));
}
const MAX_SHOWN = 40;

/** Condition of a mapping that holds for companies. */
export function whenCompany({ candidate: { name }, words }: CompanyFlag): Readonly<Record<string, unknown>> {
  return { [name]: { is: words } };
}

function companyRows({ candidate: { cells = [] }, words }: CompanyFlag): (row: number) => boolean {
  const known = new Set(words.map((word) => word.toLowerCase()));
  return (row) => known.has((cells[row] ?? '').trim().toLowerCase());
}
