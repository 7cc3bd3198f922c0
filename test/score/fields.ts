import type { DraftField } from '../../src/suggest/index.ts';

/** The fields of a public file, as a person found them by reading its cells: `test/suggest/truth/public-files.json`. */
export interface FileTruth {
  readonly resource: string;
  /** Columns of each field. One of them is enough. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Further columns that are not wrong for a field. */
  readonly alsoRight?: Readonly<Record<string, readonly string[]>>;
  /** Options of the commands, such as `--pad-rows`. */
  readonly options?: readonly string[];
  /** Further options of `validate`. */
  readonly validate?: readonly string[];
}

export interface FieldScore {
  readonly fields: number;
  readonly found: number;
  readonly suggested: number;
  readonly right: number;
  /** Sentences about each field that is missed or wrong. */
  readonly faults: readonly string[];
}

/** Compares the columns of a draft with the truth. */
export function scoreFields(drafted: readonly DraftField[], truth: FileTruth): FieldScore {
  const columnsOf = new Map(drafted.map(({ field, columns }) => [field, columns]));
  const missed = Object.entries(truth.fields).filter(([field, columns]) => {
    const used = columnsOf.get(field);
    return !used || (used.length > 0 && !used.some((column) => columns.includes(column)));
  });
  const suggested = [...columnsOf].filter(([, columns]) => columns.length > 0);
  const wrong = suggested.filter(([field, columns]) => {
    const right = [...(truth.fields[field] ?? []), ...(truth.alsoRight?.[field] ?? [])];
    return !columns.every((column) => right.includes(column));
  });
  const fields = Object.keys(truth.fields).length;
  const line = ([field, columns]: readonly [string, readonly string[]]) =>
    `${field} from ${columns.join(', ')}`;
  return {
    fields,
    found: fields - missed.length,
    suggested: suggested.length,
    right: suggested.length - wrong.length,
    faults: [...missed.map((each) => `missed ${line(each)}`), ...wrong.map((each) => `wrong ${line(each)}`)],
  };
}
