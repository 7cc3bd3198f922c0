import { isObject, type Json, type JsonObject } from '../model/index.ts';
import type { SampleColumn } from './profile/profile.ts';

/** A list of objects inside the objects of a file, such as `variants`. */
export interface ObjectList {
  /** Path of the list. */
  readonly path: string;
  /** Fields of its items, all items of all objects below one another. */
  readonly columns: readonly SampleColumn[];
  /** Indexes of the items of each object that has any. */
  readonly records: readonly (readonly number[])[];
  /** Index of the object that has each of these. */
  readonly owners: readonly number[];
  /** Lists of objects inside the items. */
  readonly lists: readonly ObjectList[];
}

/** The fields of JSON objects as columns, and their lists of objects. */
export interface ObjectColumns {
  readonly columns: readonly SampleColumn[];
  readonly lists: readonly ObjectList[];
}

/** Objects inside of each other are followed to this depth: deeper ones are data of other programs. */
const DEEPEST = 4;

/**
 * The fields of objects by their paths, as mappings name them. A list of plain values is one cell of JSON.
 */
export function columnsOfObjects(objects: readonly JsonObject[]): ObjectColumns {
  const cells = new Map<string, string[]>();
  const items = new Map<string, { owners: number[]; lists: JsonObject[][] }>();
  objects.forEach((object, row) => {
    for (const [path, value] of leavesOf(object, '', 0)) {
      if (Array.isArray(value) && value.some(isObject)) {
        const known = items.get(path) ?? { owners: [], lists: [] };
        items.set(path, known);
        known.owners.push(row);
        known.lists.push(value.filter(isObject));
        continue;
      }
      const column = cells.get(path) ?? [];
      cells.set(path, column);
      column[row] = textOf(value);
    }
  });
  const filled = [...cells].map(([name, column]) => ({
    name,
    cells: Array.from({ length: objects.length }, (_, row) => column[row] ?? ''),
  }));
  const lists = [...items].map(([path, all]) => ({
    path,
    owners: all.owners,
    records: indexesOf(all.lists),
    ...columnsOfObjects(all.lists.flat()),
  }));
  return { columns: filled, lists };
}

/** Indexes of the items of each group, if all items are one below another. */
function indexesOf(groups: readonly (readonly JsonObject[])[]): number[][] {
  let before = 0;
  return groups.map(({ length }) => {
    before += length;
    return Array.from({ length }, (_, index) => before - length + index);
  });
}

function* leavesOf(object: JsonObject, prefix: string, depth: number): Generator<[string, Json]> {
  for (const [name, value] of Object.entries(object)) {
    // A name with a dot would be read as a path.
    if (/[.[\]{}]/.test(name)) continue;
    if (isObject(value) && depth < DEEPEST) yield* leavesOf(value, `${prefix}${name}.`, depth + 1);
    else yield [`${prefix}${name}`, value];
  }
}

function textOf(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value) && value.length === 0) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
