import type { Resource } from '../resources/index.ts';

/** Shape of the identifiers of one store. */
export interface IdShape {
  /** Description for messages. */
  readonly words: string;
  /** True if the shape is known from the settings or from identifiers of the store, so that no other is possible. */
  readonly sure: boolean;
  holds(id: string): boolean;
}

/** Shapes that can be learned from a few identifiers. */
const SHAPES = [
  { words: '24 hexadecimal digits', pattern: /^[0-9a-f]{24}$/i },
  { words: 'UUIDs', pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i },
  { words: 'whole numbers', pattern: /^\d+$/ },
] as const;

/**
 * Used if no identifier of the store is known. The API document says only that identifiers are strings. All that were
 * ever seen have 24 hexadecimal digits. This allows others, but not UUIDs, slugs and paths of other systems.
 */
const PLAUSIBLE = /^[0-9a-z]{1,24}$/i;

/** `known`: identifiers that this store gave. */
export function idShapeFor({ update }: Resource, known: readonly string[]): IdShape {
  if (update?.idPattern !== undefined) {
    const pattern = new RegExp(`^(?:${update.idPattern})$`, 'u');
    return { words: `like ${update.idPattern}`, sure: true, holds: (id) => pattern.test(id) };
  }
  const learned =
    known.length > 0 ? SHAPES.find(({ pattern }) => known.every((id) => pattern.test(id))) : undefined;
  if (learned) return { words: learned.words, sure: true, holds: (id) => learned.pattern.test(id) };
  // The store has a shape of its own, so any identifier is possible.
  if (known.length > 0) return { words: 'of any form', sure: false, holds: () => true };
  return { words: 'letters and digits, 24 at most', sure: false, holds: (id) => PLAUSIBLE.test(id) };
}
