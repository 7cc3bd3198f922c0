/**
 * The words of the field, used the same everywhere: code, messages, reports.
 *
 * row        one row of the source file, numbered as a spreadsheet shows it
 * origin     where a row came from: file, row, line; attached by the reader
 * record     the row, or the rows, that describe one thing
 * mapping    a YAML or JSON file that says how records become payloads; a preset ships with the tool
 * payload    the JSON body of one API call
 * suspect    a cell that looks damaged; it is taken as it is, and told of
 * issue      something wrong with the data, as a value; its record is invalid, the run goes on
 * resource   products, customers, …: what the API can hold
 * key        the field that identifies a record across runs
 * operation  a valid payload and what to do with it
 * attempt    one HTTP exchange
 * delivery   all attempts for one operation, and how they ended
 * outcome    what became of a record
 * run        one execution of an import; it has an id
 * ledger     the durable local record of every run and outcome
 */
export * from './array-remove.ts';
export * from './errors.ts';
export * from './files/ledger-file.ts';
export * from './files/package-file.ts';
export * from './files/private-files.ts';
export * from './files/small-file.ts';
export * from './json.ts';
export * from './outcome/mapping-notices.ts';
export * from './outcome/operation.ts';
export * from './outcome/outcome.ts';
export * from './outcome/prior-state.ts';
export * from './outcome/request.ts';
export * from './outcome/result.ts';
export * from './row/damage-mark.ts';
export * from './row/kept-row.ts';
export * from './row/read-format.ts';
export * from './row/row.ts';
export * from './row/row-links.ts';
export * from './row/suspicion.ts';
export * from './stopwatch.ts';
export * from './text/cell-text.ts';
export * from './text/fingerprint.ts';
export * from './text/formula.ts';
export * from './text/identifier.ts';
export * from './text/no-value.ts';
export * from './text/parse-item.ts';
export * from './text/secrets.ts';
export * from './text/visible.ts';
