/**
 * Terms of the domain. Code, messages and reports use each in one sense.
 *
 * row        one row of the source file, numbered as a spreadsheet shows it
 * origin     source of a row: file, row and line; set by the reader
 * record     the row or rows that describe one thing, such as a product and its variants
 * mapping    a YAML or JSON file with the rules that turn records into payloads; a preset ships with the tool
 * payload    the JSON body of one API call
 * suspect    a cell that looks damaged; it is imported unchanged and reported
 * issue      an error in the data, as a value; its record is invalid, and the run continues
 * resource   a kind of object in the API: products, customers, …
 * key        the value that identifies a record across runs
 * operation  a valid payload and its action: create or update
 * attempt    one HTTP exchange
 * delivery   all attempts for one operation, and their result
 * outcome    final state of a record in a run
 * run        one execution of an import; it has an id
 * ledger     durable local database of every run and outcome
 */
export * from './array-remove.ts';
export * from './contacts/contact-key.ts';
export * from './contacts/countries.ts';
export * from './contacts/phone-key.ts';
export * from './errors.ts';
export * from './files/ledger-file.ts';
export * from './files/missing-file.ts';
export * from './files/moved-path.ts';
export * from './files/package-file.ts';
export * from './files/private-files.ts';
export * from './files/replace-file.ts';
export * from './files/small-file.ts';
export * from './json.ts';
export * from './option-values.ts';
export * from './outcome/activity.ts';
export * from './outcome/exit-codes.ts';
export * from './outcome/image-counts.ts';
export * from './outcome/issue-sentence.ts';
export * from './outcome/look.ts';
export * from './outcome/mapping-notices.ts';
export * from './outcome/operation.ts';
export * from './outcome/outcome.ts';
export * from './outcome/prior-state.ts';
export * from './outcome/request.ts';
export * from './outcome/result.ts';
export * from './own-value.ts';
export * from './printed-commands.ts';
export * from './processes.ts';
export * from './row/damage-mark.ts';
export * from './row/kept-row.ts';
export * from './row/read-format.ts';
export * from './row/row.ts';
export * from './row/row-links.ts';
export * from './row/row-ranges.ts';
export * from './row/suspicion.ts';
export * from './run-commands.ts';
export * from './stopwatch.ts';
export * from './text/amounts.ts';
export * from './text/cell-text.ts';
export * from './text/column-letters.ts';
export * from './text/contacts.ts';
export * from './text/fingerprint.ts';
export * from './text/formula.ts';
export * from './text/identifier.ts';
export * from './text/json-limits.ts';
export * from './text/location.ts';
export * from './text/no-value.ts';
export * from './text/number-text.ts';
export * from './text/option-text.ts';
export * from './text/parse-item.ts';
export * from './text/pattern.ts';
export { type Metric, type MetricSample, prometheusText } from './text/prometheus.ts';
export * from './text/secrets.ts';
export * from './text/shell-word.ts';
export * from './text/visible.ts';
export * from './thread-priority.ts';
