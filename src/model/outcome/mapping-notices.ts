/** A sentence that a mapping says about records, with how many of them it is about. */
export interface MappingWarning {
  readonly message: string;
  readonly count: number;
  /** The first of these records. */
  readonly records: readonly { readonly row: number; readonly key?: string }[];
}

/** The same for a run that may be resumed. */
export interface OpenMappingWarning extends MappingWarning {
  /** Position in the run of the last record that was counted. */
  readonly last: number;
}

/** A rule of a mapping that can turn out never to apply, and whether it did in one file. */
export interface RuleUse {
  /** The field it is for, such as `price.salePrice`. */
  readonly field: string;
  readonly kind: 'condition' | 'map' | 'lookup';
  /** As the mapping file writes it, shortened, and the line there. */
  readonly text: string;
  readonly line: number;
  /** Bits: `MISSED`, `HELD`. 0 where no record has asked. */
  readonly use: number;
}

/** A filled cell was looked at, and the rule did not apply. */
export const MISSED = 1;

/** The rule applied at least once. */
export const HELD = 2;
