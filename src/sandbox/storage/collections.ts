import type { JsonObject } from '../../model/index.ts';
import { type CreatedCollection, idOf, positionOf } from './ids.ts';
import type { RecordLog } from './log.ts';
import type { Places } from './places.ts';

/** Source of a list: records by position, as JSON text. */
export interface Shelf {
  count(): number;
  textAt(position: number): string;
}

/** Records of one kind, in order of creation. Records cannot be deleted, as in the API. */
export interface Collection extends Shelf {
  /** Stores a new record and returns its text. `make` returns JSON in one line. */
  add(make: (id: string, position: number) => string): string;
  positionOf(id: string): number | undefined;
  at(position: number): JsonObject;
  replace(position: number, record: JsonObject): string;
}

/** Creates a collection. Records are stored as text in a log: answers need text, and a million of them use no heap. */
export function createCollection(kind: CreatedCollection, log: RecordLog, places: Places): Collection {
  function keep(position: number, text: string): string {
    places.set(position, log.append(kind, position, text));
    return text;
  }
  const textAt = (position: number) => log.read(places.at(position));

  return {
    count: places.count,
    textAt,
    add(make) {
      const position = places.count();
      return keep(position, make(idOf(kind, position), position));
    },
    positionOf(id) {
      const position = positionOf(kind, id);
      return position !== undefined && position < places.count() ? position : undefined;
    },
    at: (position) => JSON.parse(textAt(position)) as JsonObject,
    replace: (position, record) => keep(position, JSON.stringify(record)),
  };
}
