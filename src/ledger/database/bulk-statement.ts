import type { Database } from './database.ts';

type Statement = ReturnType<Database['prepare']>;

/** A value of a column. */
export type SqlValue = string | number | null;

/** Maximum number of rows in one statement. More than some dozens gain nothing. */
const MOST_ROWS = 64;

/** A statement over any number of rows. */
export interface BulkSql {
  /** Placeholders of one row, such as `(?, ?)`. */
  readonly place: string;
  /** Builds the statement around the placeholders of all rows. */
  readonly sqlFor: (places: string) => string;
}

/**
 * Runs a statement over many rows at once, since a call into SQLite costs more than a row. It is prepared once for each
 * number of rows that occurs. The values of all rows are in one flat list.
 */
export function bulkStatement(
  database: Database,
  { place, sqlFor }: BulkSql,
): (values: readonly SqlValue[]) => void {
  const width = place.split('?').length - 1;
  const prepared = new Map<number, Statement>();

  function statementFor(rows: number): Statement {
    let statement = prepared.get(rows);
    if (!statement) {
      statement = database.prepare(sqlFor(Array<string>(rows).fill(place).join(', ')));
      prepared.set(rows, statement);
    }
    return statement;
  }

  return (values) => {
    for (let start = 0; start < values.length; start += MOST_ROWS * width) {
      const part =
        values.length <= MOST_ROWS * width ? values : values.slice(start, start + MOST_ROWS * width);
      statementFor(part.length / width).run(part);
    }
  };
}
