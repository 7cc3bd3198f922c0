import { isFew } from '../evidence.ts';
import type { ColumnCandidate, Role } from '../match/candidate.ts';
import {
  amounts,
  choices,
  codes,
  hasWholeNames,
  isAddress,
  mails,
  names,
  places,
  quantities,
  sentences,
  texts,
  valuesOrLists,
} from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import { HOUSE, INFIX } from './people.ts';

/** Matches lines of an order in one cell: `2x Pen, 1x Ink`, `Pen x 2; Ink x 1` and JSON. A pack of 3 x 40 g is one product. */
const LISTED_LINES = /^\d+\s?[x×]\s?\p{L}|\p{L}\)?\s[x×]\s?\d+(?:\s|$|[;,|=])|^\s*[[{]/iu;

function listsLines({ profile: { filled } }: ColumnCandidate): boolean {
  return !isFew(filled.filter((cell) => LISTED_LINES.test(cell.trim())).length, filled.length);
}

/** Beginnings of words for what becomes of an order. */
const STATES =
  /^(?:pa[iy]|pag[ao]|bezahl|paid|open|offen|env[ií]|exp[eé]di|ship|versand|complet|termin|conclu|pend|en attente|cancel|annul|storn|livr|entreg|deliver|consegn|sped|refund|rembours|reembols|devuel|process|en cours|nouv|new|neu)/iu;

/** True for a column such as `Estado` that has no word for what becomes of an order: it is a part of a country. */
function isPartOfCountry({ reading, profile: { filled } }: ColumnCandidate): boolean {
  if (!says(reading, 'state') || says(reading, 'order')) return false;
  return filled.filter((cell) => STATES.test(cell.trim())).length < 0.5 * filled.length;
}

function isPercentage({ name, reading, profile: { filled } }: ColumnCandidate): boolean {
  return says(reading, 'percent') || name.includes('%') || filled.some((cell) => cell.includes('%'));
}

/** True for prices without tax, and for the tax itself. */
function isNet({ reading }: ColumnCandidate): boolean {
  return says(reading, 'net') || (says(reading, 'tax') && !says(reading, 'gross'));
}

/** Certainty of whole names in a column called `Name` only, which may also have products. */
const ONLY_NAME = 0.96;

/** Whole names of customers. */
function wholeNames(candidate: ColumnCandidate): number {
  if (!isOnlyName(candidate)) return names(candidate);
  return hasWholeNames(candidate) ? ONLY_NAME * texts(candidate) : 0;
}

/** True for a column called `Name` without a word about whose it is. */
export function isOnlyName({ reading: { terms } }: ColumnCandidate): boolean {
  return terms.every((term) => term.includes('name'));
}

/** A street with a number, or a place. `Delivery` alone may also be the way in which parcels are sent. */
function addresses(candidate: ColumnCandidate): number {
  const { reading } = candidate;
  if (says(reading, 'address') || says(reading, 'street')) return places(candidate);
  return isAddress(candidate) ? places(candidate) : 0;
}

/** Meanings of the columns of orders: of the order, its lines, its customer and where it goes. */
export const ORDER_ROLES: readonly Role[] = [
  {
    name: 'number',
    named: [
      ['order', 'number'],
      ['order', 'id'],
      ['order', 'reference'],
      ['order', 'name'],
      ['order', 'code'],
      ['order'],
      ['number'],
      ['id'],
      ['name'],
    ],
    may: ['order', 'number', 'id', 'reference', 'name'],
    // Several orders have the number or the name of one customer.
    fits: (candidate) =>
      says(candidate.reading, 'customer') || (isOnlyName(candidate) && hasWholeNames(candidate))
        ? 0
        : codes(candidate),
  },
  { name: 'email', named: [['email']], may: ['customer', 'billing', 'contact', 'address'], fits: mails },
  { name: 'firstname', named: [['first', 'name'], ['first']], may: ['customer', 'billing'], fits: texts },
  {
    name: 'lastname',
    named: [['last', 'name'], ['last']],
    may: ['customer', 'billing'],
    fits: (candidate) => (candidate.reading.numbers.includes(2) ? 0 : texts(candidate)),
  },
  {
    name: 'secondLastname',
    named: [['last', 'name'], ['last']],
    may: ['customer', 'billing'],
    fits: (candidate) => (candidate.reading.numbers.includes(2) ? texts(candidate) : 0),
  },
  INFIX,
  {
    name: 'fullname',
    named: [
      ...([['customer', 'name'], ['billing', 'name'], ['full', 'name'], ['customer'], ['full']] as const),
      ...([['name'], ['last', 'first']] as const),
    ],
    may: ['full', 'customer', 'contact', 'billing', 'first', 'last'],
    fits: wholeNames,
  },
  { name: 'shippingName', named: [['shipping', 'name']], may: ['full', 'contact', 'address'], fits: texts },
  {
    name: 'lineName',
    named: [
      ...[['line', 'name'], ['product', 'name'], ['product', 'title'], ['product']],
      ...[['line', 'description'], ['product', 'description'], ['description'], ['title'], ['name']],
    ] as const,
    may: ['line', 'product', 'order'],
    fits: (candidate) => (listsLines(candidate) ? 0 : texts(candidate)),
  },
  {
    name: 'lineQuantity',
    named: [['line', 'quantity'], ['product', 'quantity'], ['quantity']],
    may: ['line', 'product', 'order'],
    fits: quantities,
  },
  {
    name: 'linePrice',
    named: [['line', 'price'], ['product', 'price'], ['price'], ['unit', 'gross'], ['gross']],
    may: ['line', 'product', 'order', 'unit', 'amount', 'gross', 'currency', 'tax'],
    fits: (candidate) => (isNet(candidate) ? 0 : amounts(candidate)),
  },
  {
    name: 'lineNet',
    named: [['net', 'price'], ['net']],
    may: ['line', 'product', 'unit', 'price', 'amount', 'currency', 'tax', 'total'],
    fits: amounts,
    isMany: true,
  },
  // The price of all pieces of a line. It is not read: the price of one piece says the same.
  {
    name: 'lineTotal',
    named: [
      ['line', 'total'],
      ['product', 'total'],
      ['line', 'amount'],
    ],
    may: ['line', 'product', 'price', 'amount', 'gross', 'currency'],
    fits: amounts,
  },
  // Totals of the whole order, with and without tax or shipping. One is what orders are compared with.
  {
    name: 'total',
    named: [['order', 'total'], ['total'], ['order', 'value'], ['order', 'amount']],
    may: ['order', 'price', 'amount', 'gross', 'total', 'tax', 'value'],
    fits: amounts,
    isMany: true,
  },
  {
    name: 'tax',
    named: [['tax'], ['order', 'tax'], ['tax', 'total'], ['tax', 'amount']],
    may: ['order', 'amount', 'total', 'price', 'value'],
    fits: amounts,
  },
  {
    name: 'lineVariant',
    named: [['variant'], ['line', 'variant']],
    may: ['line', 'product', 'name', 'title'],
    fits: texts,
  },
  // Parts of what a variant is called, such as its size and its colour.
  {
    name: 'lineOption',
    named: [['size'], ['color'], ['option']],
    may: ['line', 'product', 'variant', 'name', 'value'],
    fits: valuesOrLists,
    isMany: true,
  },
  {
    name: 'shippingPrice',
    named: [
      ['shipping', 'price'],
      ['shipping', 'cost'],
      ['shipping', 'total'],
      ['shipping', 'amount'],
      ['shipping'],
    ],
    may: ['order', 'amount', 'total', 'gross', 'tax'],
    fits: (candidate) => (isNet(candidate) ? 0 : amounts(candidate)),
  },
  {
    name: 'shipper',
    named: [
      ['shipping', 'method'],
      ['shipping', 'type'],
    ],
    may: ['order', 'name', 'title'],
    fits: texts,
  },
  {
    name: 'shippingFirst',
    named: [['shipping', 'first']],
    may: ['name', 'address', 'customer'],
    fits: texts,
  },
  { name: 'shippingLast', named: [['shipping', 'last']], may: ['name', 'address', 'customer'], fits: texts },
  {
    name: 'shippingAddress',
    named: [['shipping', 'address'], ['shipping', 'street'], ['street'], ['address'], ['shipping']],
    may: ['line', 'street', 'address'],
    fits: (c) => (c.reading.numbers.some((number) => number > 1) ? 0 : addresses(c)),
  },
  {
    name: 'shippingAddress2',
    named: [
      ...([
        ['shipping', 'supplement'],
        ['supplement'],
        ['shipping', 'address'],
        ['shipping', 'street'],
      ] as const),
      ...([['address'], ['street']] as const),
    ],
    may: ['line', 'street', 'address', 'supplement'],
    fits: ({ reading }) => (reading.numbers.includes(2) || says(reading, 'supplement') ? 1 : 0),
  },
  HOUSE,
  { name: 'shippingCity', named: [['shipping', 'city'], ['city']], may: ['address', 'name'], fits: places },
  {
    name: 'shippingCountry',
    named: [['shipping', 'country'], ['country']],
    may: ['address', 'code', 'name'],
    fits: texts,
  },
  {
    name: 'status',
    named: [['order', 'status'], ['status']],
    may: ['order'],
    fits: (candidate) => (isPartOfCountry(candidate) ? 0 : choices(candidate)),
  },
  {
    name: 'discount',
    named: [['discount', 'amount'], ['discount', 'total'], ['discount']],
    may: ['order', 'value', 'price'],
    fits: (candidate) => (isPercentage(candidate) ? 0 : amounts(candidate)),
  },
  {
    name: 'method',
    named: [['payment', 'method'], ['payment']],
    may: ['order', 'method', 'name', 'title'],
    fits: texts,
  },
  { name: 'note', named: [['note']], may: ['customer', 'order'], fits: sentences },
];
