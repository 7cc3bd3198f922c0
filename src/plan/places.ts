import { leadFile, leadRow, placeWords, type SourceRecord } from '../model/index.ts';

/** Where records stand, as the index of keys keeps it: one number, which holds the file too where there are several. */
export interface RecordPlaces {
  of(record: SourceRecord): number;
  /** The same for a record of which no more is known. */
  at(row: number, file: string | undefined): number;
  /** `row 7`; where there are several files, `"b.csv", row 7`. */
  words(place: number): string;
}

/** Six bits for the file, from 1; 0 is one that is not known. */
const FILE = 2 ** 26;
const MOST_FILES = 63;

export function createRecordPlaces(files: readonly string[]): RecordPlaces {
  if (files.length < 2) return { of: leadRow, at: (row) => row, words: (row) => placeWords({ row }) };
  const at = (row: number, file: string | undefined) => {
    const number = files.indexOf(file ?? '') + 1;
    return number <= MOST_FILES && row < FILE ? number * FILE + row : row % FILE;
  };
  return {
    at,
    of: (record) => at(leadRow(record), leadFile(record)),
    words: (place) => placeWords({ row: place % FILE, file: files[Math.floor(place / FILE) - 1] }),
  };
}
