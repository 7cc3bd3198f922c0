/** Rows to records: those that stand together, or all that belong together wherever they stand. */

export { group } from './consecutive.ts';
export { type Gathering, gather } from './gather.ts';
