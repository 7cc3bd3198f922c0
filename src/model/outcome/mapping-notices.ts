/** A warning about one record. The message is the same for all records; what differs is in `found`. */
export type RecordWarning =
  | string
  | {
      readonly message: string;
      /** Short text for people, such as the text of a cell. */
      readonly found?: string;
      /** Row of the cell. Default: the first row of the record. */
      readonly row?: number;
    };

/** A warning that a mapping gives for records, with their number. */
export interface MappingWarning {
  readonly message: string;
  readonly count: number;
  /** The first records it applies to. */
  readonly records: readonly { readonly row: number; readonly key?: string; readonly found?: string }[];
}

/** Names a record that a warning applies to: `GIFT-10 (row 4)`, `GIFT-10 (row 4: "x")`, or `row 4` without a key. */
export function warnedRecord({ row, key, found }: MappingWarning['records'][number]): string {
  const place = found === undefined ? `row ${row}` : `row ${row}: ${found}`;
  return key ? `${key} (${place})` : place;
}

/** A mapping warning of a run that may be resumed. */
export interface OpenMappingWarning extends MappingWarning {
  /** Position of the last counted record in the run. */
  readonly last: number;
}

/** Use in one file of a mapping rule that may never apply. */
export interface RuleUse {
  /** Target field of the rule, such as `price.salePrice`. */
  readonly field: string;
  readonly kind: 'condition' | 'map' | 'lookup';
  /** The rule as the mapping file writes it, shortened; `line` is its line there. */
  readonly text: string;
  readonly line: number;
  /** Bits `MISSED` and `HELD`. 0 if the rule was never evaluated. */
  readonly use: number;
}

/** The rule was evaluated on a filled cell and did not apply. */
export const MISSED = 1;

/** The rule applied at least once. */
export const HELD = 2;
