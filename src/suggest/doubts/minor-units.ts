import type { DraftField, MappingDraft } from '../draft.ts';
import { isFew } from '../evidence.ts';
import type { ObjectList } from '../objects.ts';
import { currencyIn } from '../profile/currencies.ts';
import { isBlankCell, type SampleColumn } from '../profile/profile.ts';

/** Currencies in which shops have prices below 100. In others, prices are whole numbers of hundreds. */
const SMALL_PRICES: ReadonlySet<string> = new Set(
  'EUR USD GBP CHF CAD AUD NZD SGD PLN RON BGN BRL ILS AED SAR MYR BAM GEL AZN'.split(' '),
);

interface AmountSample {
  readonly columns: readonly SampleColumn[];
  readonly lists: readonly ObjectList[];
  /** True for objects of a JSON file, as programs write them. */
  readonly areObjects: boolean;
}

/**
 * The draft with a doubt for amounts that may be in cents: all amounts of the file are whole numbers of 100 and more, beside a
 * currency with hundredths, or as numbers of JSON that are mostly not round.
 */
export function withMinorUnits(draft: MappingDraft, sample: AmountSample): MappingDraft {
  const cells = cellsByName(sample);
  const named = draft.fields.map((field) => ({ field, columns: amountColumns(field.field, field.rule) }));
  const used = [...new Set(named.flatMap(({ columns }) => columns))].filter((name) => cells.has(name));
  const amounts = used.flatMap((name) => cells.get(name) ?? []).filter((cell) => /[1-9]/.test(cell));
  if (amounts.length === 0 || !amounts.every((cell) => LARGE.test(cell))) return draft;
  const codes = currencies(cells, used);
  const round = amounts.filter((cell) => cell.endsWith('00'));
  const isOdd = sample.areObjects && amounts.length >= MIN_ODD && round.length <= 0.5 * amounts.length;
  const isLikely = codes.size > 0 ? [...codes].every((code) => SMALL_PRICES.has(code)) : isOdd;
  if (!isLikely) return draft;
  const fields = named.map(({ field, columns }): DraftField => {
    const shown = columns.flatMap((name) =>
      (cells.get(name) ?? []).filter((cell) => LARGE.test(cell)).map((cell) => ({ name, cell })),
    )[0];
    if (!shown) return field;
    const beside = codes.size > 0 ? ` beside ${[...codes].slice(0, 3).join(', ')}` : '';
    const doubt = `all amounts are whole numbers of 100 and more${beside}, such as "${shown.cell}" in ${shown.name}, so they may be in cents; if they are, add multiply: 0.01`;
    return { ...field, doubt: [field.doubt, doubt].filter((each) => each !== undefined).join('; ') };
  });
  return { ...draft, fields };
}

/** A whole number of 100 and more, with or without a minus. */
const LARGE = /^-?[1-9]\d{2,}$/;
/** Fewer numbers that are not round may be by chance. */
const MIN_ODD = 2;

/** The filled cells of all columns, and of the fields of lists as they are named outside of these. */
function cellsByName({ columns, lists }: AmountSample, prefix = ''): Map<string, readonly string[]> {
  const own = columns.map(({ name, cells }): [string, string[]] => [
    `${prefix}${name}`,
    cells.map((cell) => cell.trim()).filter((cell) => !isBlankCell(cell)),
  ]);
  const inside = lists.flatMap((list) => [
    ...cellsByName({ ...list, areObjects: true }, `${prefix}${list.path}[].`),
  ]);
  return new Map([...own, ...inside]);
}

/** Codes of currencies that are words of other columns too, such as `applies_to`. */
const WORDS = /^(?:all|top|try|cup|mop|mad)$/i;

/** The codes in columns that have nothing but currencies, and in the names of amounts. */
function currencies(cells: ReadonlyMap<string, readonly string[]>, amounts: readonly string[]): Set<string> {
  const isCode = (cell: string) => currencyIn(cell) === cell.toUpperCase() && !WORDS.test(cell);
  const found = [...cells.values()].filter(
    (own) => own.length > 0 && isFew(own.filter((cell) => !isCode(cell)).length, own.length),
  );
  const named = amounts.flatMap((name) => currencyIn(name.replaceAll(/[^A-Za-z]+/g, ' ')) ?? []);
  return new Set([...found.flatMap((own) => own.filter(isCode).map((cell) => cell.toUpperCase())), ...named]);
}

interface AmountText {
  readonly from?: unknown;
  readonly multiply?: number;
  readonly each?: { readonly in?: string };
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The columns that a rule of an amount reads as they are: not those in cents by their names. */
function amountColumns(field: string, rule: unknown, prefix = ''): string[] {
  return [rule].flat().flatMap((each): string[] => {
    if (typeof each !== 'object' || each === null) return [];
    const { from, multiply, each: over, fields = {} } = each as AmountText;
    const path = typeof over === 'object' && over.in !== undefined ? `${prefix}${over.in}[].` : prefix;
    const inside = Object.entries(fields).flatMap(([name, own]) => amountColumns(name, own, path));
    const isOwn = AMOUNT.test(field) && typeof from === 'string' && (multiply ?? 1) >= 1;
    return isOwn ? [`${prefix}${from}`, ...inside] : inside;
  });
}

const AMOUNT = /(?:^|\.)price(?:\.|$)|^value$/;
