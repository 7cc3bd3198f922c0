import { leadRow, type SourceRecord } from '../model/index.ts';

/** Where records stand, as the index of keys keeps it: one number, which holds the file too where there are several. */
export interface Places {
  of(record: SourceRecord): number;
  /** `row 7`; where there are several files, `"b.csv", row 7`. */
  words(place: number): string;
}

/** Six bits for the file, from 1; 0 is one that is not known, as of a record that an earlier execution read. */
const FILE = 2 ** 26;
const MOST_FILES = 63;

export function createPlaces(files: readonly string[]): Places {
  if (files.length < 2) return { of: leadRow, words: (row) => `row ${row}` };
  return {
    of(record) {
      const row = leadRow(record);
      const number = files.indexOf(record.rows[0]?.table.file ?? '') + 1;
      return number <= MOST_FILES && row < FILE ? number * FILE + row : row % FILE;
    },
    words(place) {
      const file = files[Math.floor(place / FILE) - 1];
      const row = `row ${place % FILE}`;
      return file === undefined ? row : `"${file}", ${row}`;
    },
  };
}
