import { ConfigError } from '../model/index.ts';
import { checkouts } from './checkouts.ts';
import { customers } from './customers.ts';
import { discounts } from './discounts.ts';
import { images } from './images.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';
import type { Resource } from './resource.ts';
import { reviews } from './reviews.ts';
import { suppliers } from './suppliers.ts';

/** All resources, in the order of the help. A new one is a file of its own and a line here. */
export const RESOURCES: readonly Resource[] = [
  products,
  customers,
  suppliers,
  discounts,
  orders,
  reviews,
  checkouts,
  images,
];

export const importable = RESOURCES.filter((resource) => resource.create);
export const exportable = RESOURCES.filter((resource) => resource.list);

/** Finds a resource in `choice` by its name. Throws ConfigError that lists the names if there is none. */
export function resourceNamed(name: string, choice: readonly Resource[] = RESOURCES): Resource {
  const found = choice.find((resource) => resource.name === name);
  if (found) return found;
  const names = choice.map((resource) => resource.name).join(', ');
  throw new ConfigError(`There is no resource "${name}" for this command. Choose one of: ${names}.`);
}
