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
  const shown = new Set(columns);
  const above = new Set(columns.flatMap(parents));
  const counts = new Map<string, number>();
  const visit = (value: JsonObject, prefix: string) => {
    for (const name of Object.keys(value)) {
      const path = prefix + name;
      if (shown.has(path)) continue;
      const field: Json | undefined = value[name];
      if (field === null || field === undefined) continue;
      if (above.has(path) && typeof field === 'object' && !Array.isArray(field)) visit(field, `${path}.`);
      else counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  };
  return { look: (item) => visit(item, ''), counts };
}

/** `a.b.c` → `a`, `a.b`. */
function parents(column: string): string[] {
  const steps = column.split('.');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('.'));
}
