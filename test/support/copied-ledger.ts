import type { Database } from '../../src/ledger/database/database.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { storedText } from '../../src/postgres/text.ts';

/** Tables that both engines have. Columns of one engine only are left out. */
const TABLES = {
  run: `number id state command whole stop_reason stop_message resource mode store remembered mapping_name mapping_digest
    files header options out version not_read started_at finished_at worked_ms activity identified`,
  shape: 'number fields',
  record: `run seq row file key outcome id http_status attempts duration_ms code field message shape digests`,
  kept: 'run seq rows kinds',
  mark: 'run seq file at row line',
  sequel: 'run seq by_run by_seq',
  target: 'number store resource',
  identity: 'target key run seq',
  trash: 'target id run seq',
};

const BOOLEANS = new Set(['whole', 'remembered', 'identified']);

/** Replaces the tables of `sql` by those of a ledger in SQLite. */
export async function copyLedger(database: Database, sql: Sql): Promise<void> {
  for (const [table, names] of Object.entries(TABLES)) {
    const columns = names.split(/\s+/);
    const lines = database.prepare(`select ${columns} from ${table}`).all() as Record<
      string,
      string | number
    >[];
    const stored = lines.map((line) =>
      Object.fromEntries(columns.map((column) => [column, storedValue(column, line[column] ?? null)])),
    );
    await sql.query(`delete from ${table}`);
    await sql.query(
      `insert into ${table} (${columns}) overriding system value
        select ${columns} from json_populate_recordset((select each from ${table} as each limit 0), $1)`,
      [JSON.stringify(stored)],
    );
  }
}

function storedValue(column: string, value: string | number | null): string | number | boolean | null {
  if (BOOLEANS.has(column)) return value === 1;
  return typeof value === 'string' && column !== 'rows' ? storedText(value) : value;
}
