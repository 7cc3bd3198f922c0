import type { MappingOrigin } from './works.ts';

// GET /works/:id/mapping

/** The mapping beside the columns of its file. */
export interface MappingView {
  /** The mapping as it is written into a file. */
  readonly text: string;
  readonly resource: string;
  readonly origin: MappingOrigin;
  /** Names this state; see WorkView. */
  readonly version: string;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Faults that keep it from being used, each with its line if known. */
  readonly faults: readonly string[];
  /** Fields of the resource, the required ones first, then by group. */
  readonly fields: readonly FieldView[];
  readonly columns: readonly ColumnView[];
  /** Required fields without a rule. */
  readonly missing: readonly string[];
  /** Columns with cells that no rule reads. */
  readonly unused: readonly string[];
  /** Questions about rows and numbers that only a person can answer with yes or no. */
  readonly questions: readonly { readonly id: string; readonly text: string }[];
  /** Columns whose equal cells make rows one record; empty if each row is a record. */
  readonly groupBy: readonly string[];
  /** Records of the sample, and how many of them are valid. */
  readonly sample: { readonly records: number; readonly valid: number };
  /** File that it was last written to; null if none. */
  readonly savedAs: string | null;
  /** The file above is older than this mapping. */
  readonly isUnsaved: boolean;
}

export interface FieldView {
  /** Dotted path, such as `price.salePrice`. */
  readonly path: string;
  readonly type: 'text' | 'number' | 'yes or no' | 'choice' | 'list' | 'object' | 'anything';
  /** The possible values of a choice. */
  readonly values?: readonly string[];
  readonly isRequired: boolean;
  /** First step of the path; '' for fields at the top. */
  readonly group: string;
  /** One sentence of the API document, if there is one. */
  readonly description?: string;
  /** Null if the mapping does not set it. */
  readonly rule: RuleView | null;
  /** Values of the first records of the sample that have one, as JSON; at most three. */
  readonly samples: readonly string[];
  /** Records of the sample with an issue in this field, and the first message. */
  readonly issues: { readonly count: number; readonly example?: string };
  /** Left out if a person or a preset chose the rule. */
  readonly confidence?: 'sure' | 'likely' | 'a guess';
  /** Why it was suggested, or why to look at it. */
  readonly reason?: string;
}

export interface RuleView {
  /** Columns that it reads. */
  readonly columns: readonly string[];
  /** `simple`: can be edited as SimpleRule. `other`: only as text. */
  readonly kind: 'simple' | 'constant' | 'other';
  /** The rule as YAML. */
  readonly text: string;
  readonly simple?: SimpleRule;
  readonly constant?: string | number | boolean;
}

/** A rule that can be chosen without writing YAML. What is left out does not apply. */
export interface SimpleRule {
  /** The first that is not empty is used. */
  readonly columns: readonly string[];
  /** How numbers are written: 1234.50, 1,234.50, 1.234,50, 1 234,50 or 1'234.50. */
  readonly number?: 'plain' | 'english' | 'german' | 'french' | 'swiss';
  /** The sign or code of a currency is taken away: of any that is known, or these words alone. */
  readonly currency?: boolean | string | readonly string[];
  /** Delimiter between the parts of a list. */
  readonly split?: string;
  /** Words of the cells and the values that they mean. */
  readonly words?: Readonly<Record<string, string | number | boolean>>;
  /** Value for empty cells. */
  readonly default?: string | number | boolean;
}

export interface ColumnView {
  readonly name: string;
  /** Part of the sample's cells that are not empty, 0 to 1. */
  readonly filled: number;
  /** Different cells of the sample, at most three, each cut to 200 characters. */
  readonly samples: readonly string[];
  readonly looksLike:
    | 'price'
    | 'number'
    | 'GTIN'
    | 'URL'
    | 'mail'
    | 'HTML'
    | 'date'
    | 'yes or no'
    | 'text'
    | 'empty';
  /** Paths of the fields that read it. */
  readonly fields: readonly string[];
  /** Fields that it may be meant for, the likeliest first, with the reason. */
  readonly suggestions: readonly {
    readonly field: string;
    readonly confidence: 'sure' | 'likely' | 'a guess';
    readonly reason: string;
  }[];
}

/** POST /works/:id/mapping[?version=V]. Answers MappingView; 409 if the mapping is of another version. */
export type MappingEdit =
  | { readonly op: 'set'; readonly field: string; readonly rule: SimpleRule }
  | { readonly op: 'constant'; readonly field: string; readonly value: string | number | boolean }
  /** `text`: the rule as YAML. */
  | { readonly op: 'rule'; readonly field: string; readonly text: string }
  | { readonly op: 'remove'; readonly field: string }
  | { readonly op: 'group'; readonly by: readonly string[] }
  /** Answers one of `questions`. */
  | { readonly op: 'answer'; readonly id: string; readonly isYes: boolean }
  /** The whole mapping as YAML. */
  | { readonly op: 'text'; readonly text: string }
  | { readonly op: 'undo' }
  | { readonly op: 'redo' };

/** POST /works/:id/mapping/file[?version=V]: writes the mapping. Answers MappingView. */
export interface SaveMapping {
  /** Below the folder of the server; ends in .yaml or .yml. */
  readonly path: string;
  /** Replaces a file that exists. Without it, that is a failure. */
  readonly replace?: boolean;
}
