import type { Sql } from '../../src/postgres/index.ts';
import { FILLED_TABLES } from '../support/postgres.ts';

/** A backup of all tables of a fleet, as their rows. */
export type CopiedTables = ReadonlyMap<string, string>;

const TABLES = [...FILLED_TABLES, 'cluster'];

export async function copyTables(sql: Sql): Promise<CopiedTables> {
  const copies = new Map<string, string>();
  for (const table of TABLES) {
    const [copy] = await sql.query<{ rows: string }>(
      `select coalesce(jsonb_agg(to_jsonb(${table})), '[]')::text as rows from ${table}`,
    );
    copies.set(table, copy?.rows ?? '[]');
  }
  return copies;
}

/** Puts a backup back into the same tables, so that nothing of the server shows it. Those that are referred to come first. */
export async function putBack(sql: Sql, copies: CopiedTables): Promise<void> {
  const [line] = await sql.query<{ schema: string }>('select current_schema() as schema');
  await sql.transaction(async (inside) => {
    for (const table of TABLES) await inside.query(`delete from ${table}`);
    for (const table of [...TABLES].reverse())
      await inside.query(
        `insert into ${table} overriding system value
         select * from jsonb_populate_recordset(null::${line?.schema}.${table}, $1::jsonb)`,
        [copies.get(table) ?? '[]'],
      );
  });
}
