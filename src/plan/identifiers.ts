import type { Resource } from '../resources/index.ts';

/** What identifiers of one store look like. */
export interface IdShape {
  /** As messages say it. */
  readonly words: string;
  /** The store has shown some, or the settings say it: any other is not the store's. */
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
 * Where nothing is known. The API document says of identifiers that they are strings; all that were ever seen have 24
 * hexadecimal digits. This leaves room for others, but not for UUIDs, slugs and paths, as other systems have them.
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
  // Their shape is one of its own: nothing can be said of others.
  if (known.length > 0) return { words: 'of any form', sure: false, holds: () => true };
  return { words: 'letters and digits, 24 at most', sure: false, holds: (id) => PLAUSIBLE.test(id) };
}
