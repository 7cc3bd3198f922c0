import { createList, type List } from '../lists/lists.ts';
import { checkoutList } from './checkouts.ts';
import { imageList } from './images.ts';
import { reviewList } from './reviews.ts';
import type { SeededList, SeedingOptions } from './seeded-list.ts';

/** Read-only lists by name. Routes, OpenAPI document, seeding and control endpoints are derived from this table. */
export const SEEDED_LISTS = {
  reviews: reviewList,
  checkouts: checkoutList,
  images: imageList,
} as const satisfies Record<string, SeededList>;
export type SeededListName = keyof typeof SEEDED_LISTS;
export const SEEDED_LIST_NAMES = Object.keys(SEEDED_LISTS) as readonly SeededListName[];

export function forEachSeeded<T>(make: (name: SeededListName) => T): Record<SeededListName, T> {
  return Object.fromEntries(SEEDED_LIST_NAMES.map((name) => [name, make(name)])) as Record<SeededListName, T>;
}

export function createSeededList(name: SeededListName, options: SeedingOptions): List {
  const { defaultLimit, filters = [], textAt }: SeededList = SEEDED_LISTS[name];
  const shelf = { count: () => options.count, textAt: (position: number) => textAt(options, position) };
  return createList({
    name,
    shelf,
    defaultLimit,
    filters: filters.map((filter) => ({ ...filter, admits: (value) => filter.admits(options, value) })),
    endless: true,
  });
}
