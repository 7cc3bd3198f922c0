/** Rows of a table that are no records: totals, headers that repeat, lines of a footer, translations. */
export interface StrayRows {
  /** Indexes of rows. */
  readonly rows: ReadonlySet<number>;
  /** Conditions that leave them out, as in `skip` of a mapping; each with the rows that it is about. */
  readonly skips: readonly StraySkip[];
}

export function strayRowsOf(skips: readonly StraySkip[]): StrayRows {
  return { skips, rows: new Set(skips.flatMap(({ rows }) => rows)) };
}

export interface StraySkip {
  /** Undefined if no condition tells these rows from others: they will be records with issues, unless they are cut off. */
  readonly when?: Readonly<Record<string, string | { readonly empty: false }>>;
  /** They are all that is below the first blank row, where reading can end. */
  readonly isCut?: true;
  /** `it says "TOTAL"` */
  readonly why: string;
  /** Columns that nearly all other rows fill, and these do not. */
  readonly lacks?: readonly string[];
  /** Indexes of rows; in a draft, their numbers in the file. */
  readonly rows: readonly number[];
}

/** A sentence about stray rows, whose `rows` are numbers in the file: `Left out: row 62, since it says "TOTAL".` */
export function skippedText({ when, isCut, rows, why }: StraySkip): string {
  const shown = rows.slice(0, 3).join(', ');
  const more = rows.length > 3 ? ` and ${rows.length - 3} more` : '';
  const named = rows.length === 1 ? `row ${shown}` : `rows ${shown}${more}`;
  const reason = rows.length === 1 ? why : why.replace(/^it /, 'each ');
  return `${when || isCut ? 'Left out' : 'Not looked at'}: ${named}, since ${reason}.`;
}
