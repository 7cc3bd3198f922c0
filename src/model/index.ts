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
export * from './cells.ts';
export * from './cut.ts';
export * from './damage-mark.ts';
export * from './errors.ts';
export * from './fingerprint.ts';
export * from './formula.ts';
export * from './identifier.ts';
export * from './item.ts';
export * from './key.ts';
export * from './kinship.ts';
export * from './ledger-file.ts';
export * from './no-value.ts';
export * from './operation.ts';
export * from './outcome.ts';
export * from './package-file.ts';
export * from './private-files.ts';
export * from './reading.ts';
export * from './row.ts';
export * from './rule-use.ts';
export * from './run.ts';
export * from './secrets.ts';
export * from './shared-rows.ts';
export * from './small-file.ts';
export * from './stopwatch.ts';
export * from './suspicion.ts';
export * from './take-out.ts';
export * from './visible.ts';
export * from './warning.ts';
