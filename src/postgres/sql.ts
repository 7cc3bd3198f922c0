/**
 * The only way to Postgres: `pg` in programs, and PGlite in tests on a machine without a server. Values are parameters, never
 * part of the text.
 */
export interface Sql {
  /** Runs one statement. `values` may hold strings, numbers, booleans, Dates, Buffers, null, and arrays of these. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs several statements without parameters. */
  script(text: string): Promise<void>;
  /** Commits if `work` resolves, and rolls back if it rejects. `work` must only use the `Sql` that it gets. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
