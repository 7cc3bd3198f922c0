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
