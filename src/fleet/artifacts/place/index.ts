/** The place of the files of tasks: known to the database, and marked, so that no other fleet uses it. */

export { MARKER } from './marker.ts';
export {
  openPlace,
  type PlaceOptions,
  type PlacePurpose,
  renewMarker,
  verifyPlace,
} from './open-place.ts';
export { disownPlace, type PlaceRecord, readPlaceRecord } from './record.ts';
export { openRowSeal, type ReplacedKey, renewRowKeys, replaceRowKey } from './row-keys.ts';
export { refuseWorkersAtWork, type TakenPlace, takePlace } from './take-place.ts';
