/** Characters of all texts of one answer together: a file may have ten thousand columns, and a cell megabytes. */
export const MOST_TEXT = 2_000_000;
