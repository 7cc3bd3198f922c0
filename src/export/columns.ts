import type { Json, JsonObject } from '../model/index.ts';

/**
 * Counts fields of items that no column shows, so that what a CSV leaves out is said. Paths are dotted; what lies
 * below a column (a list, an object without known fields) is in its JSON cell.
 */
export interface UnseenFields {
  look(item: JsonObject): void;
  /** Path → items that have it. */
  readonly counts: ReadonlyMap<string, number>;
}

export function unseenFields(columns: readonly string[]): UnseenFields {
  const shown = shownFields(columns);
  const counts = new Map<string, number>();
  const count = (path: string) => void counts.set(path, (counts.get(path) ?? 0) + 1);
  return { look: (item) => visitUnseen(item, shown, '', count), counts };
}

/** The name of the column of everything that no other column shows. */
export const REST_COLUMN = '*';

/** All that `columns` do not show of an item, by its dotted path; undefined where they show everything. */
export function unseenReader(columns: readonly string[]): (item: JsonObject) => JsonObject | undefined {
  const shown = shownFields(columns);
  return (item) => {
    let rest: JsonObject | undefined;
    visitUnseen(item, shown, '', (path, value) => {
      rest ??= {};
      rest[path] = value;
    });
    return rest;
  };
}

/** Names of one level: shown whole, or an object of which some fields are shown. */
type Shown = Map<string, true | Shown>;

function shownFields(columns: readonly string[]): Shown {
  const top: Shown = new Map();
  for (const column of columns) {
    show(column.split('.'), top);
    // A field whose own name has dots in it.
    top.set(column, true);
  }
  return top;
}

function show([name = '', ...below]: readonly string[], level: Shown): void {
  const known = level.get(name);
  // A column above it shows the whole.
  if (known === true) return;
  if (below.length === 0) level.set(name, true);
  else {
    const next: Shown = known ?? new Map();
    level.set(name, next);
    show(below, next);
  }
}

function visitUnseen(
  object: JsonObject,
  shown: Shown,
  prefix: string,
  unseen: (path: string, value: Json) => void,
): void {
  for (const name in object) {
    const known = shown.get(name);
    if (known === true) continue;
    const value = object[name];
    if (value === null || value === undefined) continue;
    if (known !== undefined && typeof value === 'object' && !Array.isArray(value))
      visitUnseen(value, known, `${prefix}${name}.`, unseen);
    else unseen(prefix + name, value);
  }
}
