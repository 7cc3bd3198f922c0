import { cutText } from '../../model/index.ts';
import type { ColumnCandidate } from '../match/candidate.ts';
import { isCompanyName, personPart } from '../profile/company-words.ts';
import { isFamilyFirstLanguage, orderByCells } from '../profile/name-order.ts';
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

/** Splits the whole names of a column. The family name comes first if the cells, or the name of the column, show it. */
export function splitWholeName(candidate: ColumnCandidate): WholeName {
  const { name, profile } = candidate;
  const companies = profile.filled.filter(isCompanyName);
  const people = profile.filled.filter((cell) => !companies.includes(cell));
  const isExchanged = (orderByCells(people) ?? orderByName(candidate)) === 'family';
  const turned = (cell: string) =>
    isExchanged ? cell.replace(new RegExp(FAMILY_FIRST, 'u'), '$1, $2') : cell;
  const split = { from: name, ...(isExchanged ? { replace: { match: FAMILY_FIRST, with: '$1, $2' } } : {}) };
  const isLegal = { from: name, when: { [name]: { matches: LEGAL_FORM } } };
  const rule = (part: 'first' | 'last'): RuleText => {
    const ofPerson = { ...split, person: part };
    return isExchanged ? [isLegal, ofPerson] : ofPerson;
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
