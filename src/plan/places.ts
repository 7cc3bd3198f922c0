import { leadFile, leadRowNumber, placeWords, type SourceRecord } from '../model/index.ts';

/** Places of records as one number for the index of keys. It includes the file if there are several. */
export interface RecordPlaces {
  of(record: SourceRecord): number;
  /** The place of a record by its row and file. */
  at(row: number, file: string | undefined): number;
  /** `row 7`; with several files `"b.csv", row 7`. */
  words(place: number): string;
}

/** Factor of the file's number, which has six bits and begins with 1; 0 is an unknown file. */
const FILE = 2 ** 26;
const MOST_FILES = 63;

export function createRecordPlaces(files: readonly string[]): RecordPlaces {
  if (files.length < 2) return { of: leadRowNumber, at: (row) => row, words: (row) => placeWords({ row }) };
  const at = (row: number, file: string | undefined) => {
    const number = files.indexOf(file ?? '') + 1;
    return number <= MOST_FILES && row < FILE ? number * FILE + row : row % FILE;
  };
  return {
    at,
    of: (record) => at(leadRowNumber(record), leadFile(record)),
    words: (place) => placeWords({ row: place % FILE, file: files[Math.floor(place / FILE) - 1] }),
  };
}
