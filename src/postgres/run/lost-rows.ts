import { NOT_POSSIBLE } from '../../model/index.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';

/**
 * Marks records whose rows cannot be read any more, and which would else be sent from these rows: they stay unsent, and the
 * message names the cure. A run that has not read its files to the end reads such records again. `sql`: a fenced transaction.
 */
export async function markLostRows(sql: Sql, baseUrl: string, { lost }: RowSeal): Promise<void> {
  if (lost.length > 0)
    await sql.query(MARK_LOST, [baseUrl, [...NOT_POSSIBLE], lost, LOST.code, LOST.message]);
}

const LOST = {
  code: 'rows-lost',
  message:
    'The row cannot be sent again: it was encrypted with a key that was lost. Import it again from its source.',
};

const MARK_LOST = `
  update record set outcome = 'unsent', code = $4, field = null, message = $5
  from run
  where run.store = $1 and run.command = 'import' and run.state <> 'running' and run.whole and record.run = run.number
    and record.outcome in ('failed', 'unsent', 'rejected') and coalesce(record.code, '') <> all ($2::text[])
    and not exists (select 1 from sequel where sequel.run = record.run and sequel.seq = record.seq)
    and not exists (
      select 1 from kept
      where kept.run = record.run and kept.seq = record.seq and split_part(kept.rows, '.', 1) <> all ($3::text[])
    )`;
