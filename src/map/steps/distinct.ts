/** With more items a Set is faster, and its time does not grow with the square of their number. */
const FEW = 8;

/** Returns the items without those that are equal to an earlier one. May return the same list. */
export function distinct<Item>(items: Item[]): Item[] {
  return items.length <= FEW && items.every((item, at) => items.indexOf(item) === at)
    ? items
    : [...new Set(items)];
}
