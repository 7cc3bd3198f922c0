import type { Row, SourceRecord } from '../model/index.ts';
import { withLead } from './lead.ts';

/**
 * Rows → records, in order. Consecutive rows with the same key become one record; without `keyOf` each row is one. Holds no more than one record's rows. `firstSeq` is the number of the first record. The
 * first row for which `isLead` holds, if any, is put before the others of its record.
 *
 * A damaged row whose key could not be read belongs to the record around it when the next row does; so a product
 * is not sent without one of its rows. Elsewhere it is a record of its own, which its issues make invalid.
 */
export async function* group(
  batches: AsyncIterable<readonly Row[]>,
  keyOf: ((row: Row) => string) | undefined,
  firstSeq = 0,
  isLead?: (row: Row) => boolean,
): AsyncGenerator<SourceRecord[]> {
  let seq = firstSeq;
  let open: Row[] = [];
  let openKey = '';
  let damaged: Row[] = [];
  let records: SourceRecord[] = [];

  const close = () => {
    if (open.length > 0) records.push({ seq: seq++, rows: withLead(open, isLead) });
    for (const row of damaged) records.push({ seq: seq++, rows: [row] });
    open = [];
    damaged = [];
  };

  for await (const rows of batches) {
    for (const row of rows) {
      const key = keyOf === undefined ? '' : keyOf(row);
      if (key === '' && row.issues && openKey !== '') {
        damaged.push(row);
        continue;
      }
      if (key === '' || key !== openKey) close();
      for (const each of damaged) open.push(each);
      open.push(row);
      damaged = [];
      openKey = key;
    }
    if (records.length > 0) yield records;
    records = [];
  }
  close();
  if (records.length > 0) yield records;
}
