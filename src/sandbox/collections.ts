import type { JsonObject } from '../model/index.ts';
import { type IdKind, idOf, positionOf } from './ids.ts';

/** What can be created. */
export const CREATED = ['products', 'discounts', 'customers', 'orders', 'suppliers'] as const;
export type CreatedCollection = (typeof CREATED)[number] & IdKind;

/** Something that can be listed: its records by position, as JSON text. */
export interface Shelf {
  count(): number;
  textAt(position: number): string;
}

/** The records of one kind, in order of creation. Nothing can be deleted, as in the API. */
export interface Collection extends Shelf {
  /** Stores `make(_id)` and returns it as JSON text. */
  add(make: (id: string, position: number) => JsonObject): string;
  positionOf(id: string): number | undefined;
  at(position: number): JsonObject;
  replace(position: number, record: JsonObject): string;
}

/**
 * Records are kept as JSON text, not as objects: an answer needs the text anyway, and a million records take a
 * third of the memory.
 */
export function createCollection(kind: CreatedCollection): Collection {
  const texts: string[] = [];
  return {
    count: () => texts.length,
    textAt: (position) => texts[position] as string,
    add(make) {
      const position = texts.length;
      const text = JSON.stringify(make(idOf(kind, position), position));
      texts.push(text);
      return text;
    },
    positionOf(id) {
      const position = positionOf(kind, id);
      return position !== undefined && position < texts.length ? position : undefined;
    },
    at: (position) => JSON.parse(texts[position] as string) as JsonObject,
    replace(position, record) {
      const text = JSON.stringify(record);
      texts[position] = text;
      return text;
    },
  };
}
