/** Codes of findings. docs/troubleshooting.md has an entry for each. */
export const FINDING_CODES = [
  'no-price',
  'price-below-cost',
  'sale-above-compare',
  'outlier',
  'one-value',
  'repeated-name',
  'name-is-other',
  'fractional-stock',
  'negative-stock',
  'variant-price',
  'date-number',
  'several-currencies',
  'price-jump',
  'stock-jump',
  'lone-option',
  'no-picture',
  'missed-column',
  'warning',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** Something about the records of a file that is valid and probably not meant, as in summary.json: the names are a contract. */
export interface LookFinding {
  readonly code: FindingCode;
  readonly file: string;
  /** Dotted path; left out if it is about no field. */
  readonly field?: string;
  /** Number of records. */
  readonly count: number;
  /** Rows of the first of them. */
  readonly rows: readonly number[];
  readonly message: string;
  /** A way to mend it. */
  readonly advice: string;
}

/** A value, and the row of the first record that has it. */
export type ValueInRow<Value = number | string> = readonly [value: Value, row: number];

/** The values of a field, as in summary.json: the names are a contract. */
export interface FieldFigures {
  readonly field: string;
  /** Number of records that have it, of those that were sampled. */
  readonly count: number;
  /** Number of different values among those that were compared; an estimate if `about` is true. */
  readonly different?: number;
  readonly about?: true;
  /** Number of values in the first rows, which were compared with each other; left out if that is all. */
  readonly compared?: number;
  /** Extremes and middle, for fields with numbers. */
  readonly lowest?: ValueInRow;
  readonly middle?: ValueInRow;
  readonly highest?: ValueInRow;
  /** The most frequent of the compared values with their counts, if they are known exactly. */
  readonly frequent?: readonly (readonly [value: number | string, count: number])[];
}

/** Figures of the valid records of a file. */
export interface FileFigures {
  readonly records: number;
  /** Number of records whose fields were counted, if not all: of a large file, the first and a part of the others. */
  readonly sampled?: number;
  readonly fields: readonly FieldFigures[];
}

/** Records that share a property: how many, the rows of the first, and what there is to see in each of these. */
export type OpenMark = readonly [count: number, rows: readonly number[], shown?: readonly string[]];

/** Values of one field, in a form that can be continued and merged. Plain data. */
export interface OpenFigures {
  readonly count: number;
  /** Number of values in the first rows, which are compared with each other. */
  readonly compared: number;
  /** The different ones of these with the smallest hashes, by hash. They are all if there are few. */
  readonly sample: readonly OpenValue[];
  /** Sizes of numbers in the sampled rows, each with its count and its first number; smallest first. */
  readonly spread?: readonly OpenBucket[];
  /** Smallest number in all rows; undefined for fields without numbers. */
  readonly lowest?: ValueInRow<number>;
  /** The largest numbers in all rows, the largest first. */
  readonly highest?: OpenTail;
  /** The smallest numbers above 0 in all rows, the smallest first. */
  readonly least?: OpenTail;
}

/** `value` is left out of texts that are not shown. */
export type OpenValue = readonly [hash: number, count: number, row: number, value?: number | string];
export type OpenBucket = readonly [bucket: number, count: number, value: number, row: number];
export type OpenTail = readonly (readonly [value: number, count: number, row: number])[];

/** The look at the records of a file so far, in a form that can be continued and merged. Plain data. */
export interface OpenLook {
  readonly records: number;
  /** Number of the last record in it. */
  readonly last: number;
  /** Number of records whose fields were counted. */
  readonly close: number;
  /** By field. */
  readonly figures: Readonly<Record<string, OpenFigures>>;
  /** By code, or by code and field. */
  readonly marks: Readonly<Record<string, OpenMark>>;
}
