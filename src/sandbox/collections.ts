import type { JsonObject } from '../model/index.ts';
import { type CreatedCollection, idOf, positionOf } from './ids.ts';
import type { RecordLog } from './storage/log.ts';
import type { Places } from './storage/places.ts';

/** Something that can be listed: its records by position, as JSON text. */
export interface Shelf {
  count(): number;
  textAt(position: number): string;
}

/** The records of one kind, in order of creation. Nothing can be deleted, as in the API. */
export interface Collection extends Shelf {
  /** Stores the JSON text of a new record, in one line, and returns it. */
  add(make: (id: string, position: number) => string): string;
  positionOf(id: string): number | undefined;
  at(position: number): JsonObject;
  replace(position: number, record: JsonObject): string;
}

/** Records are kept as text, since an answer needs the text anyway, and where a million of them cost no heap. */
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
