/** A rule that people can choose without writing YAML. Parts that are left out do not apply. */
export interface RuleForm {
  /** The first that is not empty is used. */
  readonly columns: readonly string[];
  /** Name of a number format, see the step `number`. */
  readonly number?: 'plain' | 'english' | 'german' | 'french' | 'swiss';
  /** Takes the sign or code of a currency away: of any that is known, or these words alone. */
  readonly currency?: boolean | string | readonly string[];
  /** Delimiter between the parts of a list. */
  readonly split?: string;
  /** Words of the cells, and the values that they mean. */
  readonly words?: Readonly<Record<string, string | number | boolean>>;
  /** Value for empty cells. */
  readonly default?: string | number | boolean;
}

export type RuleKind =
  | { readonly kind: 'simple'; readonly form: RuleForm }
  | { readonly kind: 'constant'; readonly value: string | number | boolean }
  /** Anything else that the language can say. */
  | { readonly kind: 'other' };

const OTHER: RuleKind = { kind: 'other' };
const FORMATS: ReadonlySet<unknown> = new Set(['plain', 'english', 'german', 'french', 'swiss']);

/** The form of a rule as it is in a mapping file. */
export function ruleKind(rule: unknown): RuleKind {
  if (typeof rule === 'string')
    return columnsIn(rule) ? { kind: 'simple', form: { columns: [rule] } } : OTHER;
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return OTHER;
  const {
    from,
    number,
    split,
    map,
    default: fallback,
    const: value,
    ...rest
  } = rule as Record<string, unknown>;
  if (Object.keys(rest).length > 0) return OTHER;
  if (value !== undefined)
    return isPlain(value) && Object.keys(rule).length === 1 ? { kind: 'constant', value } : OTHER;
  const columns = columnsIn(from);
  const signs = numberForm(number);
  if (!columns || !signs || (split !== undefined && typeof split !== 'string')) return OTHER;
  if (fallback !== undefined && !isPlain(fallback)) return OTHER;
  if (map !== undefined && !isWords(map)) return OTHER;
  return {
    kind: 'simple',
    form: {
      ...{ columns, ...signs },
      ...(split === undefined ? {} : { split }),
      ...(map === undefined ? {} : { words: map }),
      ...(fallback === undefined ? {} : { default: fallback }),
    },
  };
}

/** The rule for a form, as a person would write it: a column alone is its name. */
export function ruleOf({ columns, number, currency, split, words, default: fallback }: RuleForm): unknown {
  const from = columns.length === 1 ? columns[0] : columns;
  const format = number === undefined || number === 'plain' ? undefined : number;
  const steps = {
    ...(split === undefined ? {} : { split }),
    ...(words === undefined || Object.keys(words).length === 0 ? {} : { map: words }),
    ...(currency
      ? { number: { ...(format ? { format } : {}), currency } }
      : number === undefined
        ? {}
        : { number: format ?? true }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
  return typeof from === 'string' && Object.keys(steps).length === 0 ? from : { from, ...steps };
}

/** Names of columns; undefined if there are none, or if one is a reference such as `{value}`. */
function columnsIn(from: unknown): string[] | undefined {
  const names = [from].flat();
  return names.length > 0 && names.every((name) => typeof name === 'string' && !name.includes('{'))
    ? (names as string[])
    : undefined;
}

/** The parts of a form for an argument of the step `number`; undefined if a form cannot say it. */
function numberForm(number: unknown): Pick<RuleForm, 'number' | 'currency'> | undefined {
  if (number === undefined) return {};
  if (number === true) return { number: 'plain' };
  if (FORMATS.has(number)) return { number: number as NonNullable<RuleForm['number']> };
  if (typeof number !== 'object' || number === null) return undefined;
  const { format = 'plain', currency, ...rest } = number as Record<string, unknown>;
  if (Object.keys(rest).length > 0 || !FORMATS.has(format)) return undefined;
  if (!isCurrency(currency)) return undefined;
  return { number: format as NonNullable<RuleForm['number']>, currency };
}

function isCurrency(currency: unknown): currency is true | string | readonly string[] {
  return currency === true || [currency].flat().every((word) => typeof word === 'string');
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isWords(map: unknown): map is Record<string, string | number | boolean> {
  return typeof map === 'object' && map !== null && !Array.isArray(map) && Object.values(map).every(isPlain);
}
