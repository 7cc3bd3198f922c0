import type { Json, JsonObject } from '../../model/index.ts';
import type { FieldType } from '../../resources/index.ts';

/**
 * Counts fields of items that a CSV does not show, so that the user learns of them. Paths are dotted. Values below a
 * column (a list, an object without known fields) are in its JSON cell.
 */
export interface UnseenFields {
  /** Counts the unseen fields of an item. Returns the item as the CSV shows it. */
  look(item: JsonObject): JsonObject;
  /** Path → items that have it. Paths beyond the limit are counted together, as `OTHER_FIELDS`. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Fields that are counted by themselves. A store that invents names could otherwise fill the memory. */
const MAX_UNSEEN_FIELDS = 1000;

/** All further fields: their number is that of the times they occur. */
export const OTHER_FIELDS = '(other fields)';

/**
 * `payload`: the type that an import of the CSV accepts; undefined if the CSV is not meant for import. Fields that the
 * store has added inside a JSON cell, such as the size of an image, are left out, since the import would refuse them.
 */
export function unseenFields(columns: readonly string[], payload?: FieldType): UnseenFields {
  const shown = shownFields(columns);
  const counts = new Map<string, number>();
  const count = (path: string) => {
    const name = counts.size < MAX_UNSEEN_FIELDS || counts.has(path) ? path : OTHER_FIELDS;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const visitAll = unseenVisitor(count);
  /** Unseen fields of the current item, each once. */
  let unseen = new Set<string>();
  const note = (path: string) => void unseen.add(path);
  const visit = unseenVisitor(note);
  const knownFields = payload && createFieldFilter(payload, note);
  return {
    counts,
    look(item) {
      if (knownFields === undefined) {
        visitAll(item, shown);
        return item;
      }
      unseen = new Set();
      const known = knownFields(item);
      visit(known, shown);
      unseen.forEach(count);
      return known;
    },
  };
}

/**
 * Drops unknown fields inside the fields of an item. Its top-level fields are chosen by columns. `dropped` is called with
 * the path of each. Paths have no index of lists, so equal fields have one path.
 */
function createFieldFilter(
  payload: FieldType,
  dropped: (path: string) => void,
): (item: JsonObject) => JsonObject {
  function knownPart(value: Json, type: FieldType, path: string): Json {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value))
      return type.kind === 'list' ? value.map((each) => knownPart(each, type.item, path)) : value;
    if (type.kind !== 'object' || type.open) return value;
    const fields = Object.entries(value).flatMap(([name, field]) => {
      const known = type.fields.get(name);
      if (known) return [[name, knownPart(field, known, `${path}.${name}`)] as const];
      if (field !== null) dropped(`${path}.${name}`);
      return [];
    });
    return Object.fromEntries(fields);
  }

  return (item) => {
    if (payload.kind !== 'object') return item;
    const fields = Object.entries(item).map(([name, field]) => {
      const known = payload.fields.get(name);
      return [name, known ? knownPart(field, known, name) : field] as const;
    });
    return Object.fromEntries(fields);
  };
}

/** Reads the fields that `columns` do not show, by dotted path; undefined if they show everything. */
export function unseenReader(columns: readonly string[]): (item: JsonObject) => JsonObject | undefined {
  const shown = shownFields(columns);
  let rest: JsonObject | undefined;
  const visit = unseenVisitor((path, value) => {
    // Without inherited names: a field may be called `__proto__`.
    rest ??= Object.create(null) as JsonObject;
    rest[path] = value;
  });
  return (item) => {
    rest = undefined;
    visit(item, shown);
    return rest;
  };
}

/** One level of the fields of an item. */
interface Shown {
  /** The path of the object with a dot at its end; empty for the item. */
  readonly prefix: string;
  /** By name: shown whole, or an object with some fields shown. */
  readonly fields: Map<string, true | Shown>;
  /**
   * The names of the last object, in order, and what is shown of each. Items of a list have equal names, and comparing names
   * by place takes a third of the time of looking them up.
   */
  readonly names: string[];
  readonly known: (true | Shown | undefined)[];
}

const createLevel = (prefix: string): Shown => ({ prefix, fields: new Map(), names: [], known: [] });

function shownFields(columns: readonly string[]): Shown {
  const top = createLevel('');
  for (const column of columns) {
    show(column.split('.'), top);
    // For a field whose own name has dots.
    top.fields.set(column, true);
  }
  return top;
}

function show([name = '', ...below]: readonly string[], { prefix, fields }: Shown): void {
  const known = fields.get(name);
  // A column above it shows the whole.
  if (known === true) return;
  if (below.length === 0) fields.set(name, true);
  else {
    const next = known ?? createLevel(`${prefix}${name}.`);
    fields.set(name, next);
    show(below, next);
  }
}

/** Visits an object. `unseen` is called with the path and value of each field that is not shown. */
function unseenVisitor(
  unseen: (path: string, value: Json) => void,
): (object: JsonObject, shown: Shown) => void {
  return function visit(object, shown) {
    const { prefix, fields, names, known: knownAt } = shown;
    let index = -1;
    for (const name in object) {
      if (names[++index] !== name) {
        names[index] = name;
        knownAt[index] = fields.get(name);
      }
      const known = knownAt[index];
      if (known === true) continue;
      const value = object[name];
      if (value === null || value === undefined) continue;
      if (known !== undefined && typeof value === 'object' && !Array.isArray(value)) visit(value, known);
      else unseen(prefix + name, value);
    }
  };
}
