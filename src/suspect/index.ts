/**
 * Detects cells that were damaged before the import, by a spreadsheet or by a wrong encoding. Such cells are reported
 * as suspect, and imported as they are. A mark travels from the bytes to here in four steps:
 *
 * 1. `read/damage-marks.ts` tests bytes for traces: sequences that undamaged text hardly ever contains. For CSV it
 *    tests each chunk, and keeps the offset up to which a trace was seen. For JSON it tests each item.
 * 2. `read/csv/rows.ts` sets `Row.suspect` for rows that begin before that offset, `read/json/json.ts` for the row of
 *    the item.
 * 3. `pipeline/inputs/open-inputs.ts` creates an `inspector` for each file. It inspects all cells of marked rows. In
 *    other rows it inspects only short cells that may mean "no value", and columns with check digits.
 * 4. `pipeline/inputs/damage-report.ts` adds the findings in each record to the `Suspicions` of its file, which count
 *    them by column and code for the summary.
 */

export { garbledNames, inspector, type Suspect } from './inspect.ts';
export { wrongTextsFinder } from './meanings.ts';
export { createSuspicions, type Suspicions } from './suspicions.ts';
export { variantFaults } from './variants.ts';
