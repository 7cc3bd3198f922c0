import type { Role } from '../match/candidate.ts';
import { choices, flags } from '../match/fits.ts';

/** Meanings of the columns that decide whether a product is shown and for sale. */
export const VISIBILITY_ROLES: readonly Role[] = [
  {
    name: 'status',
    named: [['status'], ['active'], ['visible'], ['active', 'status']],
    may: ['product', 'active', 'visible', 'status', 'store', 'category'],
    fits: (candidate) => Math.max(choices(candidate), flags(candidate)),
    isMany: true,
  },
  {
    name: 'off',
    named: [['hidden'], ['deleted']],
    may: ['product', 'status', 'active', 'visible', 'store', 'hidden', 'deleted'],
    fits: flags,
    isMany: true,
  },
  // A flag beside the status: it must say yes. What is active or visible elsewhere may be one of several channels.
  {
    name: 'on',
    named: [['purchasable']],
    may: ['product', 'status', 'active', 'visible', 'store', 'purchasable'],
    fits: flags,
    isMany: true,
  },
];
