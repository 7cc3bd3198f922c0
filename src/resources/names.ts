/**
 * Names of the resources and of their filters, in the order of the help. They are not in the descriptions, because
 * those load zod, which would make the help slow. A test compares them with the registry.
 */
export const IMPORTABLE_NAMES = ['products', 'customers', 'suppliers', 'discounts', 'orders'] as const;

/** Read-only resources, each with the names of its filters. */
export const READ_ONLY_FILTERS: Readonly<Record<string, readonly string[]>> = {
  reviews: ['product', 'rating', 'published'],
  checkouts: ['status'],
  images: [],
};

export const READ_ONLY_NAMES = Object.keys(READ_ONLY_FILTERS);
export const EXPORTABLE_NAMES = ['products', ...READ_ONLY_NAMES];

/** Beginnings of `name=value` for the filters of all resources. */
export const FILTER_NAMES = Object.values(READ_ONLY_FILTERS)
  .flat()
  .map((name) => `${name}=`);
