import type { MappingDraft } from '../../draft.ts';
import { type ColumnCandidate, LIKELY, type RoleMatch } from '../../match/candidate.ts';
import { hasWholeNames } from '../../match/fits.ts';
import { saysSubscription, subscriptions } from '../../profile/subscription-words.ts';
import { areHouses } from '../../roles/people.ts';
import { type MatchesByRole, matchesByRole } from '../by-role.ts';
import { createNotes, type Notes } from '../notes.ts';
import { flagRule, textRule } from '../rules.ts';
import { type CompanyFlag, companyFlag, splitWholeName, whenCompany } from '../whole-names.ts';
import { addCustomerStatus } from './customer-status.ts';

/** Fields of addresses by role; the country is a code or a name by its cells. */
const OF_ADDRESS: readonly (readonly [string, string])[] = [
  ['address2', 'address2'],
  ['zip', 'zip'],
  ['city', 'city.name'],
  ['province', 'province.name'],
];

/** Makes the mapping of customers. */
export function composeCustomers(
  matches: readonly RoleMatch[],
  { columns }: { readonly columns: readonly ColumnCandidate[] },
): MappingDraft {
  const notes = createNotes();
  const byRole = matchesByRole(matches);
  const flag = companyFlag(columns);
  const whole = addNames(notes, byRole, { flag });
  addText(notes, byRole, 'email', 'email');
  addPhones(notes, byRole);
  addSubscriber(notes, subscriberColumn(byRole, columns));
  addText(notes, byRole, 'note', 'note');
  addCustomerStatus(notes, byRole);
  addCompany(notes, byRole, { whole, flag });
  addStreet(notes, byRole, { street: 'address1', field: 'address.address1', columns });
  for (const [role, field] of OF_ADDRESS) addText(notes, byRole, role, `address.${field}`);
  addCountry(notes, byRole, { name: 'address.country.name', code: 'address.country.code' });
  leaveOthers(notes, byRole);
  return { resource: 'customers', fields: notes.fields, leftOut: notes.leftOut };
}

/** The company of an address. A customer who is a company, by a flag, has the whole name there. */
function addCompany(
  notes: Notes,
  byRole: MatchesByRole,
  { whole, flag }: { readonly whole: RoleMatch | undefined; readonly flag: CompanyFlag | undefined },
): void {
  const [company] = byRole('company');
  if (!flag || !whole) {
    addText(notes, byRole, 'company', 'address.company');
    return;
  }
  const { name } = whole.candidate;
  const rule = { from: name, when: whenCompany(flag) };
  notes.add('address.company', company ? [textRule(company.candidate), rule] : rule, {
    candidates: [...(company ? [company.candidate] : []), whole.candidate],
    score: Math.min(whole.score, company?.score ?? 1),
  });
}

/** The column that says who gets a newsletter: by its name, or by words such as `unsubscribed` whatever it is called. */
function subscriberColumn(byRole: MatchesByRole, columns: readonly ColumnCandidate[]): RoleMatch | undefined {
  const [named] = byRole('newsletter');
  const said = named ? undefined : columns.find(({ profile }) => saysSubscription(profile.filled));
  return said ? { role: 'newsletter', candidate: said, score: LIKELY } : named;
}

/** Words that are not known are never a yes. */
function addSubscriber(notes: Notes, match: RoleMatch | undefined): void {
  if (!match) return;
  const { candidate, score } = match;
  const from = { candidates: [candidate], score, why: 'it is not known which of its words mean yes' };
  if (!saysSubscription(candidate.profile.filled)) {
    notes.add('isSubscriber', flagRule(candidate), from);
    return;
  }
  const { known, unknown } = subscriptions(candidate.profile.distinct);
  const rule = { from: candidate.name, map: Object.fromEntries(known), else: false };
  const doubt =
    unknown.length === 0
      ? undefined
      : `it is not known what these words mean, so their customers get no newsletter: ${unknown.slice(0, 6).join(', ')}`;
  notes.add('isSubscriber', rule, { ...from, doubt });
}

/** Makes the mapping of suppliers. */
export function composeSuppliers(
  matches: readonly RoleMatch[],
  { columns }: { readonly columns: readonly ColumnCandidate[] },
): MappingDraft {
  const notes = createNotes();
  const byRole = matchesByRole(matches);
  const [name] = byRole('name');
  addText(notes, byRole, name ? 'name' : 'company', 'name');
  if (name) addText(notes, byRole, 'company', 'company');
  addStreet(notes, byRole, { street: 'address1', field: 'address1', columns });
  for (const [role, field] of OF_ADDRESS.filter(([role]) => role !== 'zip'))
    addText(notes, byRole, role, field);
  addCountry(notes, byRole, { name: 'country.name', code: 'country.name' });
  addPhones(notes, byRole);
  for (const role of ['zip', 'contact', 'email', 'note'])
    for (const { candidate } of byRole(role)) notes.leave(candidate, 'a supplier has no field for it');
  leaveOthers(notes, byRole);
  return { resource: 'suppliers', fields: notes.fields, leftOut: notes.leftOut };
}

/** The street, with the number of the house if that is in a column of its own. */
export function addStreet(
  notes: Notes,
  byRole: MatchesByRole,
  {
    street,
    more,
    field,
    columns,
  }: {
    readonly street: string;
    /** Role of a second line, if the address has no field for it. */
    readonly more?: string;
    readonly field: string;
    readonly columns: readonly ColumnCandidate[];
  },
): void {
  const [[match], [named], [second]] = [byRole(street), byRole('house'), byRole(more ?? '')];
  if (!match) return;
  const { filled } = match.candidate.profile;
  const isWhole = filled.filter((cell) => /\d/.test(cell)).length > 0.5 * filled.length;
  const house = named ?? (isWhole ? undefined : houseBeside(match, columns));
  if (house && isWhole) notes.leave(house.candidate, `${match.candidate.name} has it`);
  const parts = house && !isWhole ? [match.candidate, house.candidate] : [match.candidate];
  // A house number before the second line would need two ways to join.
  const lines = second && parts.length === 1 ? [match.candidate, second.candidate] : parts;
  if (second && lines === parts)
    notes.leave(second.candidate, 'the store has no second line of an address', field, 'parcels may need it');
  const joined = { from: lines.map(({ name }) => name), join: lines === parts ? ' ' : ', ' };
  notes.add(field, lines.length > 1 ? joined : textRule(match.candidate), {
    candidates: lines,
    score: match.score,
  });
}

/** A column `Number` directly behind a street without one: the house, and no number of a customer. */
function houseBeside(
  { candidate, score }: RoleMatch,
  columns: readonly ColumnCandidate[],
): RoleMatch | undefined {
  const next = columns.find(({ positions }) => positions[0] === (candidate.positions[0] ?? -1) + 1);
  const isNumber =
    next?.reading.unknown.length === 0 && next.reading.terms.every((all) => all.includes('number'));
  return next && isNumber && areHouses(next) ? { role: 'house', candidate: next, score } : undefined;
}

function addText(notes: Notes, byRole: MatchesByRole, role: string, field: string): void {
  const [match] = byRole(role);
  if (match)
    notes.add(field, textRule(match.candidate), { candidates: [match.candidate], score: match.score });
}

/** Roles of the columns with a person's name. */
const NAMES = { first: 'firstname', last: 'lastname', full: 'fullname' };

interface NamedPerson {
  readonly roles?: typeof NAMES;
  /** Path of the person. Default: the record itself. */
  readonly under?: string;
  readonly flag?: CompanyFlag | undefined;
}

/** First and last name, under a path; if there is only one column for both, it is split, and returned. */
export function addNames(
  notes: Notes,
  byRole: MatchesByRole,
  { roles = NAMES, under = '', flag }: NamedPerson = {},
): RoleMatch | undefined {
  const [[first], [last], [full]] = [byRole(roles.first), byRole(roles.last), byRole(roles.full)];
  // French and Spanish words for the last name are also those for the whole one, and Portuguese ones for the first name.
  const [only, ...both] = [first, last].flatMap((match) => match ?? []);
  const isWhole = only !== undefined && both.length === 0 && hasWholeNames(only.candidate);
  const whole = full ?? (isWhole ? only : undefined);
  const isApart = (match: RoleMatch | undefined) => match !== undefined && match !== whole;
  if (isApart(first)) addText(notes, byRole, roles.first, `${under}firstname`);
  if (isApart(last))
    addLastName(notes, byRole, last as RoleMatch, { isOwn: under !== RECIPIENT, field: `${under}lastname` });
  if (!whole || (isApart(first) && isApart(last))) return undefined;
  const parts = splitWholeName(whole.candidate, flag);
  const cut = { candidates: [whole.candidate], score: 0.7, doubt: parts.doubt };
  if (!isApart(first)) notes.add(`${under}firstname`, parts.first, cut);
  if (!isApart(last)) notes.add(`${under}lastname`, parts.last, cut);
  return whole;
}

/** Path of the person that an order goes to. */
const RECIPIENT = 'shipping.address.';

/** The last name, with the part before it if that is in a column of its own: `van der` of `van der Berg`. */
function addLastName(
  notes: Notes,
  byRole: MatchesByRole,
  { candidate, score }: RoleMatch,
  { isOwn, field }: { readonly isOwn: boolean; readonly field: string },
): void {
  const [[infix], [second]] = isOwn ? [byRole('infix'), byRole('secondLastname')] : [[], []];
  const parts = [infix, { candidate }, second].flatMap((each) => each?.candidate ?? []);
  const rule = parts.length > 1 ? { from: parts.map(({ name }) => name), join: ' ' } : textRule(candidate);
  notes.add(field, rule, { candidates: parts, score });
}

function addPhones(notes: Notes, byRole: MatchesByRole): void {
  const phones = byRole('phone');
  const [first] = phones;
  if (!first) return;
  const names = phones.map(({ candidate }) => candidate.name);
  const rule = textRule(first.candidate);
  const several = typeof rule === 'object' ? { ...rule, from: names } : { from: names };
  notes.add('phone', names.length === 1 ? rule : several, {
    candidates: phones.map(({ candidate }) => candidate),
    score: first.score,
  });
}

/** Cells of two capital letters are codes of ISO 3166. */
function addCountry(
  notes: Notes,
  byRole: MatchesByRole,
  fields: { readonly name: string; readonly code: string },
): void {
  for (const { candidate, score } of byRole('country').slice(0, 2)) {
    const field = isCodes(candidate) ? fields.code : fields.name;
    if (notes.fields.some((each) => each.field === field)) continue;
    notes.add(field, textRule(candidate), { candidates: [candidate], score });
  }
}

function isCodes({ profile }: ColumnCandidate): boolean {
  return profile.filled.every((cell) => /^[A-Z]{2}$/i.test(cell));
}

function leaveOthers(notes: Notes, byRole: MatchesByRole): void {
  for (const { candidate } of byRole('fax')) notes.leave(candidate, 'the store has no field for it');
  for (const { candidate } of byRole('password'))
    notes.leave(
      { ...candidate, profile: { ...candidate.profile, filled: [] } },
      'passwords are not taken by a guess',
      'password',
    );
}
