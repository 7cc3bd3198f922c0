// GET /runs/:run/doubts

export interface DoubtsView {
  readonly total: number;
  /** The first 1,000. */
  readonly doubts: readonly DoubtView[];
  /** True if the list of the store can be asked. */
  readonly canAsk: boolean;
  /** The command line that lists them, and says how each is settled. */
  readonly command: string;
  /** Only after answers: records of later runs that waited for them, and can be sent now. */
  readonly released?: readonly { readonly run: string; readonly records: number }[];
}

export interface DoubtView {
  readonly row: number;
  readonly file?: string;
  readonly key: string;
  /** Why it is in doubt, such as `crash` or `no-answer`. */
  readonly code: string;
}

/** POST /runs/:run/doubts. Answers DoubtsView. Records that are not there are sent by a retry. */
export interface SettleDoubts {
  readonly answers: readonly {
    readonly row: number;
    readonly file?: string;
    readonly key: string;
    /** The identifier in the store, or null: it is not there. */
    readonly id: string | null;
  }[];
}
