import { camelCase, type OptionTable } from './option.ts';

/** `base-url` → `baseUrl`. */
type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type TextOf<Row> = Row extends { readonly choices: readonly (infer Choice)[] } ? Choice : string;

type SingleValue<Row> = Row extends { readonly type: 'boolean' }
  ? boolean
  : Row extends { readonly type: 'number' }
    ? number
    : TextOf<Row>;

type ValueOf<Row> = Row extends { readonly array: true } ? readonly SingleValue<Row>[] : SingleValue<Row>;

/** The values of options as a command line has them, by their names in camel case. An option with a default has a value. */
export type ArgumentsOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown }
    ? CamelCase<Name>
    : never]: ValueOf<Table[Name]>;
} & OptionalArguments<{
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown }
    ? never
    : Name]: Table[Name];
}>;

/** The same values, some of them given. */
export type OptionalArguments<Table> = {
  readonly [Name in keyof Table as CamelCase<Name>]?: ValueOf<Table[Name]> | undefined;
};

/** Picks the values of these options from all values of a command, a run or a task. An option without a value is left out. */
export function argumentsOf<Table extends OptionTable>(
  table: Table,
  given: object,
): OptionalArguments<Table> {
  const values = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(table)
      .map(camelCase)
      .flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  ) as OptionalArguments<Table>;
}

/** Adds the defaults of options that have no value. */
export function withDefaults<Table extends OptionTable>(table: Table, given: object): ArgumentsOf<Table> {
  const defaults = Object.entries(table).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[camelCase(name), value]],
  );
  return { ...Object.fromEntries(defaults), ...argumentsOf(table, given) } as ArgumentsOf<Table>;
}
