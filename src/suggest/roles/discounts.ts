import type { ColumnCandidate, Role } from '../match/candidate.ts';
import { amounts, choices, codes, dates, flags, quantities } from '../match/fits.ts';
import { says } from '../names/read-name.ts';

/** Less for figures, so that a column of other texts with the same name is the code. */
function likeCodes({ profile }: ColumnCandidate): number {
  return profile.share('amount') > 0.5 ? 0.9 : 1;
}

/** Meanings of the columns of discounts. */
export const DISCOUNT_ROLES: readonly Role[] = [
  {
    name: 'code',
    named: [['code'], ['discount'], ['name']],
    may: ['discount', 'code', 'name', 'title'],
    // A column called `Discount` only may have the figures of discounts.
    fits: (candidate) =>
      says(candidate.reading, 'code') ? codes(candidate) : codes(candidate) * likeCodes(candidate),
  },
  {
    name: 'type',
    named: [['type', 'value'], ['type', 'discount'], ['type'], ['method', 'discount']],
    may: ['discount', 'value', 'amount', 'type', 'price'],
    fits: choices,
    isMany: true,
  },
  {
    name: 'percentage',
    named: [['percent']],
    may: ['discount', 'value', 'amount'],
    fits: amounts,
  },
  {
    name: 'amount',
    named: [['amount', 'discount'], ['value', 'discount'], ['amount'], ['value'], ['discount']],
    may: ['discount', 'amount', 'value', 'price', 'code', 'currency'],
    fits: (candidate) => (says(candidate.reading, 'percent') ? 0 : amounts(candidate)),
  },
  {
    name: 'start',
    named: [['start'], ['start', 'date']],
    may: ['date', 'discount', 'active', 'created'],
    fits: dates,
  },
  { name: 'end', named: [['end'], ['end', 'date']], may: ['date', 'discount', 'active'], fits: dates },
  {
    name: 'minimum',
    named: [
      ['minimum'],
      ['minimum', 'amount'],
      ['minimum', 'order'],
      ['minimum', 'total'],
      ['minimum', 'price'],
    ],
    may: ['discount', 'amount', 'order', 'total', 'price', 'value', 'currency'],
    fits: amounts,
  },
  {
    name: 'minimumQuantity',
    named: [
      ['minimum', 'quantity'],
      ['minimum', 'product'],
    ],
    may: ['discount', 'order', 'quantity', 'product'],
    fits: quantities,
  },
  {
    name: 'perCustomer',
    named: [
      ['limit', 'customer'],
      ['limit', 'once'],
      ['used', 'once'],
      ['used', 'customer'],
      ['maximum', 'customer'],
      ['once'],
    ],
    may: ['customer', 'limit', 'once', 'used', 'discount', 'maximum'],
    fits: (candidate) => Math.max(quantities(candidate), flags(candidate)),
  },
  {
    name: 'limit',
    // `Uses` beside `Max uses` counts those so far.
    named: [['limit', 'maximum'], ['maximum', 'used'], ['limit']],
    may: ['discount', 'total', 'code', 'quantity', 'maximum', 'used'],
    fits: quantities,
  },
  {
    name: 'active',
    named: [['active'], ['status']],
    may: ['discount', 'status', 'active'],
    fits: (candidate) => Math.max(choices(candidate), flags(candidate)),
  },
];
