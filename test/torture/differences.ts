const NO_HEADER = 'it holds nothing but line ends, so there is no header to map by; refused with that word';

/** Files that are read otherwise than their authors say, and why that is correct here. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  'csv-spectrum/csvs/newlines_crlf.csv':
    'its CR LF was lost where it was copied, and the rows beside it still have it',
  'csv-test-data/csv/all-empty.csv': NO_HEADER,
  'csvkit-examples/empty.csv': NO_HEADER,
  'csv-test-data/csv/empty-one-column.csv':
    'an empty line is no row, also in a table of one column: most files end with some',
  'csv-test-data/csv/bad-header-wrong-header.csv':
    'which columns a file must have is known to the mapping, not to the reader',
  'csv-test-data/csv/bad-unescaped-quote.csv':
    'a quote inside a bare cell is text (15" screen), and nothing else can be meant',
  'csv-parser-fixtures/option-escape.csv':
    'quotes after a backslash: its row is read as damaged and says how to write a quote',
  'papaparse/docs__resources__files__malformed.tsv':
    'it has a quote that is not closed: csv-parse refuses the file, here it costs that row',
  'json-test-suite/y_object_escaped_null_in_key.json':
    'it is JSON, but holds the character NUL: an issue, as in CSV',
};
