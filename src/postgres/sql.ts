/**
 * How long an answer may take, in milliseconds. A server that lost its power or its address leaves connections behind that stay
 * silent, for a quarter of an hour if only the system watches them.
 */
export const ANSWER_MS = 20_000;

/** The same for statements over all records of a run. */
export const LONG_ANSWER_MS = 900_000;

/**
 * The only way to Postgres: `pg` in programs, and PGlite in tests on a machine without a server. Values are parameters, never
 * part of the text.
 */
export interface Sql {
  /**
   * Runs one statement. `values` may hold strings, numbers, booleans, Dates, Buffers, null, and arrays of these. Rejects if the
   * answer takes longer than `withinMs`; by itself `ANSWER_MS`, or what the transaction has.
   */
  query<Row extends object>(text: string, values?: readonly unknown[], withinMs?: number): Promise<Row[]>;
  /** Runs several statements without parameters. */
  script(text: string): Promise<void>;
  /**
   * Commits if `work` resolves, and rolls back if it rejects. `work` must only use the `Sql` that it gets. `withinMs`: how long
   * the answer to each statement may take; by itself `ANSWER_MS`.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, withinMs?: number): Promise<Result>;
  close(): Promise<void>;
}
