import type { Json, RuleUse } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import type { Expression } from './expression/expression.ts';
import type { CellParts } from './steps/chain.ts';
import type { Apply, LookupTable } from './steps/index.ts';

/**
 * A mapping after parsing and checking. Defaults are filled in, and only the names of columns are unresolved, since
 * columns differ from file to file.
 */
export interface Mapping extends GroupRules {
  /** Preset name, file name, or `native`. */
  readonly name: string;
  readonly title: string;
  readonly resource: Resource;
  /** A header with a column of each list has this format. The names in one list are alternatives. */
  readonly recognise: readonly (readonly string[])[];
  /** How its files are read. Options of the command line win over it. */
  readonly source?: SourceRules;
  /** Other names of a column, for headers that changed over the years. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Column that identifies a record across runs if its payload has no key of its own. Default: `_key`. */
  readonly keyBy?: string;
  /** Columns whose empty cells take the value above them, from the widest level to the narrowest. At least one. */
  readonly carry?: readonly string[];
  /** A row that one of these rules matches is no record, and no part of one. Has at least one rule. */
  readonly skip?: readonly SkipRule[];
  /** Files with other columns that may be read together with one of this format. */
  readonly joined?: readonly JoinedFile[];
  readonly fields: readonly FieldRule[];
  /** Columns whose words decide what is public or for sale. */
  readonly words?: readonly KnownWords[];
  /** Only for orders. */
  readonly check?: TotalsCheck;
  /** Rules that each record must meet. At least one. */
  readonly checks?: readonly CheckRule[];
  /** JSON objects are payloads already; `fields` are constants that are added to them. */
  readonly isNativeJson?: boolean;
  /** Web address of the folder for images that are given as a path. */
  readonly imageBase?: string | undefined;
  /** Code of the country of phone numbers in records that name none; ISO 3166-1. */
  readonly country?: string | undefined;
  /** Tables of the lookups. Their files are read when the mapping is used. */
  readonly lookups: readonly LookupTable[];
  /** Rules whose use is counted, in the order of their numbers. Empty for presets. */
  readonly watchedRules: readonly WatchedRule[];
  /** sha256 of the text, by which a run detects that its mapping has changed. */
  readonly digest: string;
}

/** How source files are read, in the words of the options. What is undefined is detected. */
export interface SourceRules {
  readonly sheet?: string | undefined;
  readonly skipLines?: number | undefined;
  readonly noHeader?: boolean | undefined;
  readonly padRows?: boolean | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly rows?: string | undefined;
  readonly skipRows?: readonly string[] | undefined;
  readonly untilBlankRow?: boolean | undefined;
}

/** How rows become records. If all are absent, each row is a record. */
export interface GroupRules {
  /** Columns whose equal values in several rows make them one record. At least one. */
  readonly groupBy?: readonly string[];
  /** A row with an empty key belongs to the record above it. */
  readonly emptyContinues?: boolean;
  /** The rows of a record may be anywhere in the files. By default they are consecutive. */
  readonly isUnordered?: boolean;
  /** The lead row is the first row of the record for which this holds. Default: the first row. */
  readonly lead?: MappingCondition;
  /** Used in place of a key: rows name each other. */
  readonly links?: LinkRules;
}

/** Rules that link rows. Each is evaluated on one row alone. */
export interface LinkRules {
  /** Names by which other rows refer to a row. */
  readonly names: readonly Rule[];
  /** Name of the row that this row is part of. */
  readonly parent?: Rule;
  /** Names of the rows that are part of this row. */
  readonly parts?: Rule;
  /** Several rows may name the same part, which is then in the record of each. */
  readonly shared?: true;
}

export interface JoinedFile {
  readonly title: string;
  /** Same as `Mapping.recognise`. */
  readonly recognise: readonly (readonly string[])[];
}

/** Words that a column may have. Others could mean anything, so a record with one is not published. */
export interface KnownWords {
  readonly column: string;
  /** `text` is trimmed and not empty. */
  readonly isKnown: (text: string) => boolean;
  /** Only the first row of a record counts. */
  readonly ofLead: boolean;
}

/** Amounts in the file that each order is compared with. Both rules make numbers. */
export interface TotalsCheck {
  readonly total: Rule;
  /** May be part of the prices already, or be added to them. */
  readonly tax?: Rule;
}

/** A rule that the payload of each record must meet. */
export interface CheckRule {
  /** Over the payload, or over an item of `each`, with the payload as `$record`. It must be true. */
  readonly expression: Expression;
  /** Path of a list, whose items are checked one by one. Lists on the way are read item by item. */
  readonly each?: readonly string[];
  /** The expression as the mapping writes it. */
  readonly source: string;
  /** The rule for people, without a full stop. Default: the expression. */
  readonly message?: string;
  /** Records that fail are sent, with a warning. */
  readonly isWarning: boolean;
}

export interface FieldRule {
  /** Target path, such as `['price', 'salePrice']`. */
  readonly path: readonly string[];
  readonly rule: Rule;
}

export type Rule = ValueRule | FirstRule | ListRule | JoinedRule;

/** Transformations of a text. */
export interface TextSteps {
  /** Splits the text; the steps then run on each part. */
  readonly split?: CellParts;
  /** In the fixed order of the mapping language. */
  readonly steps: readonly Apply[];
}

/** A value of a mapping, in the form that imports and exports share: a source, steps, and a condition. */
export interface SourcedValue extends TextSteps {
  readonly source: ValueSource;
  /** Removes blanks at both ends of a cell. */
  readonly trim: boolean;
  readonly when?: MappingCondition;
  /** Used if `when` does not hold. */
  readonly otherwise?: Json;
  /** Used if every source is empty. */
  readonly default?: Json;
}

/** Reads one value from the cells of a record. */
export interface ValueRule extends SourcedValue {
  readonly kind: 'value';
  readonly across: Across;
  /** The mapping does not set `across`, so the default of the language applies. */
  readonly acrossIsImplied?: boolean;
  /** Limits the rule to some rows of the record. Default: all. */
  readonly only?: OnlyRows;
  /** Sent by an update if every source is empty, to clear the value in the store. */
  readonly blank?: Json;
  /** Warning for people, issued when this rule has a value. */
  readonly warn?: string;
  /** The rule makes no value. Warning for people, issued when there would be one. */
  readonly leaveOut?: string;
  readonly required: boolean;
}

/** Rows for which a condition holds. The first condition that matches any row decides. */
export interface OnlyRows {
  readonly conditions: readonly MappingCondition[];
  /** Use only the first of these rows. */
  readonly first: boolean;
}

/**
 * Rows that a column is read from. `own`: inside a list with one item a row, that row. The others use the rows of the
 * record: `lead` the first row only, `first` the first cell that is not empty, `join` all cells with `, ` between them.
 */
export type Across = 'own' | 'lead' | 'first' | 'last' | 'sum' | 'min' | 'max' | 'join';

export type ValueSource =
  /** Uses the first column that is not empty; with `join`, all that are not empty, with that text between them. */
  | { readonly kind: 'columns'; readonly names: readonly string[]; readonly join?: string }
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'template'; readonly parts: readonly (string | { readonly column: string })[] }
  /** `asList`: the target is a list, and JSONata does not distinguish one value from a list of one. */
  | { readonly kind: 'expression'; readonly expression: Expression; readonly asList?: boolean };

/** Alternatives for one value: the first that has one is used. */
export interface FirstRule {
  readonly kind: 'first';
  readonly values: readonly ValueRule[];
  /** Collects the words of all alternatives in one list instead, each once. */
  readonly all?: true;
}

/**
 * A list. It has one item for each row of the record, or for each group of these rows, number in a family of columns, part
 * of a value, or object of a list.
 */
export interface ListRule {
  readonly kind: 'list';
  readonly each:
    | { readonly over: 'rows'; readonly exceptLead?: boolean }
    | InGroups
    | Numbered
    | InParts
    | Nested;
  /** Items for which this does not hold are left out. */
  readonly when?: MappingCondition;
  /** Items without a value in this field are left out. */
  readonly needs?: string;
  /** Of items with the same values in these fields, only the first is kept. */
  readonly unique?: readonly string[];
  /** Items are in the order of this value. It is no part of them. */
  readonly sort?: Rule;
  /** Number of items that are kept. */
  readonly limit?: number;
  /** Warns if two items are equal in all these fields. */
  readonly distinct?: { readonly by: readonly string[]; readonly warn: string };
  /** Sent by an update if there are no items; see `ValueRule.blank`. */
  readonly blank?: Json;
  readonly item: readonly FieldRule[];
}

/** Iterates over groups of the record's rows that have the same texts in these columns. An item sees its rows alone. */
export interface InGroups {
  readonly over: 'groups';
  readonly by: readonly string[];
}

/** Replaces `{n}` in the column names of the item by each of `values` in turn. */
export interface Numbered {
  readonly over: 'numbers';
  readonly name: string;
  readonly values: readonly string[];
  /** Name of columns with `{n}` in it. If given, `values` are what the columns of a file have there: see `withFamilies`. */
  readonly columns?: string;
}

/** Iterates over the objects of a list inside a JSON object. Columns of the item are fields of these objects. */
export interface Nested {
  readonly over: 'items';
  /** Dotted path of the list. */
  readonly path: string;
}

/** Iterates over the parts of values: of several, over all combinations, those of the last one fastest. */
export interface InParts {
  readonly over: 'parts';
  readonly parts: readonly NamedParts[];
}

/** In sources, `{name}` is the current part of the value and `{name.key}` its value at a key. */
export interface NamedParts {
  readonly name: string;
  readonly value: ValueRule;
}

/** Concatenates lists; items that are equal by `unique` are kept once. */
export interface JoinedRule {
  readonly kind: 'joined';
  readonly lists: readonly ListRule[];
}

/** A condition for rows that are left out. */
export interface SkipRule {
  readonly when: MappingCondition;
  /** True if only this row is left out: rows that continue the one above do so as if it were not there. */
  readonly alone: boolean;
}

/** Holds if all tests hold. An empty cell is '', a cell of a column that the file lacks is undefined. */
export interface MappingCondition {
  /** Index in `Mapping.watchedRules`; undefined if its use is not counted. */
  readonly watch?: number;
  /** `own` tests the item's own row in a list over rows, `first` the first filled cell of the record. */
  readonly across: 'own' | 'first';
  readonly tests: readonly {
    readonly column: string;
    /** The column to compare with. */
    readonly other?: string;
    readonly holds: (text: string | undefined, other?: string) => boolean;
  }[];
}

/** A rule that may have a mistake if it never applies. Its number is its index in `Mapping.watchedRules`. */
export type WatchedRule = Omit<RuleUse, 'use'>;
