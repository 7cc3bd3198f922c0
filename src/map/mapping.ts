import type { Json, RuleUse } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import type { Expression } from './expression/expression.ts';
import type { CellParts } from './steps/chain.ts';
import type { Apply, LookupTable } from './steps/index.ts';

/**
 * A mapping after it was read and checked: rules with no optionals and no names left to resolve but columns,
 * which differ from file to file.
 */
export interface Mapping {
  /** Preset name, file name, or `native`. */
  readonly name: string;
  readonly title: string;
  readonly resource: Resource;
  /** A header that has these columns is in this format; in each list, any one of the names will do. */
  readonly recognise: readonly (readonly string[])[];
  /** Other names under which a column is known: headers that changed over the years. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Column that identifies a record across runs, where its payload has no key of its own; left out, `_key`. */
  readonly keyBy?: string;
  /** Column whose equal value in several rows makes them one record. */
  readonly groupBy?: string;
  /** A row without that key belongs to the record above it. */
  readonly emptyContinues?: boolean;
  /** The rows of a record may stand anywhere in the files; left out, they stand together. */
  readonly gathers?: boolean;
  /** Of the rows with one key, which leads: the first for which it holds; left out, the first. */
  readonly lead?: MappingCondition;
  /** In place of a key: rows that name each other. */
  readonly kinship?: KinshipRule;
  /** Rows for which it holds are no record and no part of one. */
  readonly skip?: MappingCondition;
  /** Files with other columns that may be read together with one of this format. */
  readonly joined?: readonly JoinedFile[];
  readonly fields: readonly FieldRule[];
  /** JSON objects are payloads as they are; `fields` are constants beside what they hold. */
  readonly isWhole?: boolean;
  /** Web address of the folder in which images lie that have a path only. */
  readonly imageBase?: string | undefined;
  /** Where its lookups look; files are read when the mapping is used. */
  readonly lookups: readonly LookupTable[];
  /** Rules whose use is counted, by their numbers; empty for what ships with the tool. */
  readonly watched: readonly Watched[];
  /** sha256 of the text, so that a run can tell whether its mapping is still the same. */
  readonly digest: string;
}

/** Each taken from the row alone. */
export interface KinshipRule {
  /** By which other rows name a row. */
  readonly names: readonly Rule[];
  /** The name of the row that it is part of. */
  readonly parent?: Rule;
  /** The names of rows that are part of it. */
  readonly parts?: Rule;
  /** Several rows may name one as their part: it is in the record of each. */
  readonly shared?: true;
}

export interface JoinedFile {
  readonly title: string;
  /** As for a mapping. */
  readonly recognise: readonly (readonly string[])[];
}

export interface FieldRule {
  /** Target, such as `['price', 'salePrice']`. */
  readonly path: readonly string[];
  readonly rule: Rule;
}

export type Rule = ValueRule | FirstRule | ListRule | JoinedRule;

/** How one value is taken out of the cells of a record. */
export interface ValueRule {
  readonly kind: 'value';
  readonly source: ValueSource;
  readonly trim: boolean;
  /** Cuts the cell in parts; the steps then work on each part. */
  readonly split?: CellParts;
  /** In the fixed order of the mapping language. */
  readonly steps: readonly Apply[];
  readonly across: Across;
  /** The mapping does not say `across`: that is the default of the language. */
  readonly acrossIsImplied?: boolean;
  /** Of the rows of the record, which count for it; left out, all. */
  readonly only?: OnlyRows;
  readonly when?: MappingCondition;
  /** Taken when `when` does not hold. */
  readonly otherwise?: Json;
  /** Taken when every source is empty. */
  readonly default?: Json;
  /** What an update sends when every source is empty, so that the store has nothing there any more. */
  readonly blank?: Json;
  /** A sentence for people, said where this value is taken. */
  readonly warn?: string;
  readonly required: boolean;
}

/** Rows for which a condition holds: of several, the first counts for which there are any. */
export interface OnlyRows {
  readonly conditions: readonly MappingCondition[];
  /** Of these rows, only the first. */
  readonly first: boolean;
}

/**
 * Which rows a column is read from. `own`: in a list over rows, the item's row. The others look at all rows of
 * the record: `lead` the first row only, `first` takes the first cell that is not empty, `join` writes all of them with `, ` between.
 */
export type Across = 'own' | 'lead' | 'first' | 'last' | 'sum' | 'min' | 'max' | 'join';

export type ValueSource =
  /** The first that is filled; with `join`, all that are filled with that text between them. */
  | { readonly kind: 'columns'; readonly names: readonly string[]; readonly join?: string }
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'template'; readonly parts: readonly (string | { readonly column: string })[] }
  /** `asList`: where it goes wants a list, and the language makes no difference between one thing and a list of one. */
  | { readonly kind: 'expression'; readonly expression: Expression; readonly asList?: boolean };

/** Several ways to one value: the first that has one counts. */
export interface FirstRule {
  readonly kind: 'first';
  readonly values: readonly ValueRule[];
  /** In place of that, a list of the words of all of them, each once. */
  readonly all?: true;
}

/**
 * A list with an item for each row of the record, each number of a family of columns, each part of a
 * value, or each object of a list.
 */
export interface ListRule {
  readonly kind: 'list';
  readonly each: { readonly over: 'rows'; readonly exceptLead?: boolean } | Numbered | InParts | Nested;
  /** Items for which it does not hold are left out. */
  readonly when?: MappingCondition;
  /** Items without a value in this field are left out. */
  readonly needs?: string;
  /** Of the items that are equal in this field the first is kept. */
  readonly unique?: string;
  /** A sentence that is said where two items are equal in all these fields. */
  readonly distinct?: { readonly by: readonly string[]; readonly warn: string };
  /** What an update sends when there are no items; see `ValueRule.blank`. */
  readonly blank?: Json;
  readonly item: readonly FieldRule[];
}

/** `{n}` in the column names below stands for each of `values` in turn. */
export interface Numbered {
  readonly over: 'numbers';
  readonly name: string;
  readonly values: readonly string[];
}

/** The objects of a list inside of a JSON object; columns below are fields of theirs. */
export interface Nested {
  readonly over: 'items';
  /** Dotted path of the list. */
  readonly path: string;
}

/** `{name}` in the sources below stands for each part of a value in turn, `{name.key}` for what it has under a key. */
export interface InParts {
  readonly over: 'parts';
  readonly name: string;
  readonly value: ValueRule;
}

/** Several lists one behind the other, equal items (by `unique`) once. */
export interface JoinedRule {
  readonly kind: 'joined';
  readonly lists: readonly ListRule[];
}

/** All tests must hold. An empty cell is the text "", one of a column that the file lacks is undefined. */
export interface MappingCondition {
  /** Its number in `Mapping.watched`. */
  readonly watch?: number;
  /** Where it looks: at the item's own row in a list over rows, else at the first filled cell of the record. */
  readonly across: 'own' | 'first';
  readonly tests: readonly {
    readonly column: string;
    /** The column that it is compared with. */
    readonly other?: string;
    readonly holds: (text: string | undefined, other?: string) => boolean;
  }[];
}

/** A rule that is silent when it never applies; its index in the mapping's list is its number. */
export type Watched = Omit<RuleUse, 'use'>;
