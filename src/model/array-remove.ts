/**
 * Removes the item at a place, in no particular order: the last one takes its place. Nothing happens at -1.
 *
 * For what comes and goes by the thousand, in place of a Set or a Map. Those keep the tables that they have outgrown in
 * a chain, so once one of them has become old, V8's collector of young objects takes everything that was ever in a later
 * one for alive: an import then held a kilobyte and a half for each record until the next full collection.
 */
export function removeUnordered<Item>(items: Item[], at: number): void {
  if (at < 0) return;
  const last = items.pop() as Item;
  if (at < items.length) items[at] = last;
}
