import type { Json, JsonObject } from '../model/index.ts';
import type { FieldType } from '../resources/index.ts';

/**
 * Counts fields of items that a CSV does not show, so that what it leaves out is said. Paths are dotted; what lies
 * below a column (a list, an object without known fields) is in its JSON cell.
 */
export interface UnseenFields {
  /** Gives the item back as the CSV shows it. */
  look(item: JsonObject): JsonObject;
  /** Path → items that have it. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * `payload`: what an import of the CSV takes, where it is meant for that. What the store has added inside a cell of JSON,
 * such as the size of an image, it would refuse; so it is not shown.
 */
export function unseenFields(columns: readonly string[], payload?: FieldType): UnseenFields {
  const shown = new Set(columns);
  const above = new Set(columns.flatMap(parents));
  const counts = new Map<string, number>();
  const visit = (value: JsonObject, prefix: string, unseen: Set<string>) => {
    for (const name of Object.keys(value)) {
      const path = prefix + name;
      if (shown.has(path)) continue;
      const field: Json | undefined = value[name];
      if (field === null || field === undefined) continue;
      if (above.has(path) && typeof field === 'object' && !Array.isArray(field))
        visit(field, `${path}.`, unseen);
      else unseen.add(path);
    }
  };
  return {
    look(item) {
      const unseen = new Set<string>();
      const known = payload ? knownFields(item, payload, unseen) : item;
      visit(known, '', unseen);
      for (const path of unseen) counts.set(path, (counts.get(path) ?? 0) + 1);
      return known;
    },
    counts,
  };
}

/** Of an item itself columns choose the fields; what is inside them is held against the type. */
function knownFields(item: JsonObject, type: FieldType, unseen: Set<string>): JsonObject {
  if (type.kind !== 'object') return item;
  const fields = Object.entries(item).map(([name, field]) => {
    const known = type.fields.get(name);
    return [name, known ? knownPart(field, known, name, unseen) : field] as const;
  });
  return Object.fromEntries(fields);
}

/** A value without the fields that its type does not have. Their paths do not tell the places in lists apart. */
function knownPart(value: Json, type: FieldType, path: string, unseen: Set<string>): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return type.kind === 'list' ? value.map((each) => knownPart(each, type.item, path, unseen)) : value;
  if (type.kind !== 'object' || type.open) return value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const known = type.fields.get(name);
    if (known) return [[name, knownPart(field, known, `${path}.${name}`, unseen)] as const];
    if (field !== null) unseen.add(`${path}.${name}`);
    return [];
  });
  return Object.fromEntries(fields);
}

/** `a.b.c` → `a`, `a.b`. */
function parents(column: string): string[] {
  const steps = column.split('.');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('.'));
}
