import type { Database } from './database.ts';

type Statement = ReturnType<Database['prepare']>;

/** What SQLite takes as the value of a column. */
export type SqlValue = string | number | null;

/** Rows that go into one statement at most. Beyond some dozens nothing is gained by more. */
const MOST_ROWS = 64;

/** A statement over any number of rows. */
export interface ManyRows {
  /** Places of one row, such as `(?, ?)`. */
  readonly place: string;
  /** The statement around the places of all rows. */
  readonly sqlFor: (places: string) => string;
}

/**
 * Runs a statement over many rows at once, since calling into SQLite costs more than a row does. It is prepared
 * once for each number of rows that comes up. The values of all rows stand one behind the other.
 */
export function forMany(
  database: Database,
  { place, sqlFor }: ManyRows,
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
