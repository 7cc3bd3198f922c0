import type { DraftField, MappingDraft } from './draft.ts';
import { LIKELY, matchRoles } from './match/candidate.ts';
import type { Dictionary } from './names/dictionary.ts';
import { readName, says } from './names/read-name.ts';
import type { ObjectList } from './objects.ts';
import { ORDER_ROLES } from './roles/orders.ts';
import { type ReadColumn, readSampleColumns } from './sample.ts';

/** Orders of a JSON file as a table has them: a row for each item, and the fields of the order in its first row. */
export interface SpreadOrders {
  /** Path of the list of items. */
  readonly path: string;
  /** Columns of orders, then those of items, called `path[].name`. */
  readonly columns: readonly ReadColumn[];
  /** Rows of each order. */
  readonly records: readonly (readonly number[])[];
}

interface OrderObjects {
  readonly columns: readonly ReadColumn[];
  readonly lists: readonly ObjectList[];
  /** Indexes of the objects that are orders, one for each cell of a column. */
  readonly objects: readonly number[];
  readonly dictionary: Dictionary;
}

/** Spreads orders over the items of the list that has their lines, such as `positions`; undefined if no list surely has them. */
export function spreadOrders({
  columns,
  lists,
  objects,
  dictionary,
}: OrderObjects): SpreadOrders | undefined {
  const found = lists
    .filter(({ path }) => !isOfOthers(path, dictionary) && !path.includes('"'))
    .map((list) => ({ list, items: itemColumns(list, dictionary) }))
    .map((each) => ({ ...each, certainty: certaintyOf(each.items) }))
    .filter(({ certainty }) => certainty > 0)
    .sort((a, b) => b.certainty - a.certainty)[0];
  if (found === undefined) return undefined;
  const { list, items } = found;
  const rows: { readonly order: number; readonly item: number | undefined; readonly isFirst: boolean }[] = [];
  objects.forEach((object, order) => {
    const own = list.records[list.owners.indexOf(object)] ?? [];
    const lines = own.length === 0 ? [undefined] : own;
    rows.push(...lines.map((item, n) => ({ order, item, isFirst: n === 0 })));
  });
  const ofOrder = columns.map((column) => ({
    ...column,
    cells: rows.map(({ order, isFirst }) => (isFirst ? (column.cells[order] ?? '') : '')),
  }));
  const ofItems = items.map((column, n) => ({
    ...column,
    name: `${list.path}[].${column.name}`,
    positions: [columns.length + n],
    cells: rows.map(({ item }) => (item === undefined ? '' : (column.cells[item] ?? ''))),
  }));
  const records = objects.map((): number[] => []);
  rows.forEach(({ order }, row) => {
    records[order]?.push(row);
  });
  return { path: list.path, columns: [...ofOrder, ...ofItems], records };
}

/** The fields of items, read as those of lines: `total` is the amount of a line. */
function itemColumns({ columns }: ObjectList, dictionary: Dictionary): ReadColumn[] {
  const named = columns.map(({ name, cells }) => ({ name: `line ${name}`, cells }));
  return readSampleColumns(named, dictionary).map((column, n) => ({
    ...column,
    name: columns[n]?.name ?? column.name,
  }));
}

/** How surely items are lines, 0 if they are not: they have two of a product, a quantity and an amount. */
function certaintyOf(items: readonly ReadColumn[]): number {
  const likely = matchRoles(items, ORDER_ROLES).filter(({ score }) => score >= LIKELY);
  const has = (...roles: readonly string[]) => likely.some(({ role }) => roles.includes(role));
  const found = [has('lineName'), has('lineQuantity'), has('linePrice', 'lineTotal', 'lineNet')];
  const count = found.filter(Boolean).length;
  return count < 2 ? 0 : count + (found[1] ? 0.5 : 0);
}

/** True for lists of other parts of an order, such as `shipping_lines` and `refunds`. */
function isOfOthers(path: string, dictionary: Dictionary): boolean {
  const reading = readName(path.split('.').at(-1) ?? path, dictionary);
  const isOther = (['shipping', 'tax', 'discount', 'payment', 'deleted', 'customer'] as const).some(
    (concept) => says(reading, concept),
  );
  return isOther || /refund|return|fee|histor|transaction|note|fulfil|invoice/i.test(path);
}

/** The draft with its lines read from the items of a list, and no longer from rows. */
export function withItems(draft: MappingDraft, path: string): MappingDraft {
  const prefix = `${path}[].`;
  const inside = (each: unknown) => {
    const { fields } = each as { readonly fields: unknown };
    const own = JSON.stringify(fields)
      .replaceAll(prefix, '')
      // Numbers of JSON are no texts.
      .replaceAll(/\$trim\((`[^`]*`)\)/g, '$trim($string($1))');
    return { each: { in: path }, fields: JSON.parse(own) };
  };
  const fields = draft.fields.map(
    (field): DraftField =>
      field.field === 'details'
        ? { ...field, rule: Array.isArray(field.rule) ? field.rule.map(inside) : inside(field.rule) }
        : field,
  );
  return { ...draft, fields };
}
