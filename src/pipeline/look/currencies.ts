import {
  grouped,
  isObject,
  type JsonObject,
  leadRowNumber,
  type OpenMark,
  ownValue,
  type SourceRecord,
  type Table,
} from '../../model/index.ts';
import { type FoundIn, MAX_ROWS } from './found.ts';
import { type Marks, mark } from './marks.ts';

/** Names of columns with the currency of a row, in lower case; `_` is a blank too. Sources: exports of shops, and the words of their languages. */
const NAMES = new Set(
  (
    'currency currency_code currencycode order_currency währung waehrung devise moneda moeda valuta waluta měna mena pénznem monedă ' +
    'валюта para_birimi döviz νόμισμα 通貨 货币 币种 貨幣 통화 สกุลเงิน tiền_tệ عملة العملة מטבע'
  )
    .split(' ')
    .flatMap((name) => [name, name.replaceAll('_', ' ')]),
);
/** Only these are counted, so that a column of other texts does not fill the memory. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const MARK = 'currency ';
/** Currencies that a finding lists. */
const MAX_CURRENCIES = 8;

// The header of a table does not change.
const columns = new WeakMap<Table, number>();

function columnOf(table: Table): number {
  let column = columns.get(table);
  if (column === undefined) {
    column = table.header.findIndex((name) => NAMES.has(name.trim().toLowerCase()));
    columns.set(table, column);
  }
  return column;
}

/** The currency that the file names for a record; undefined if it names none. */
function currencyOf({ rows: [first] }: SourceRecord): string | undefined {
  if (!first) return undefined;
  const { table, cells, value } = first;
  const found = isObject(value)
    ? (ownValue(value, 'currency') ?? ownValue(value, 'currency_code'))
    : cells[columnOf(table)];
  const code = typeof found === 'string' ? found.trim().toUpperCase() : '';
  return CODES.has(code) ? code : undefined;
}

/** The amounts of the resources whose payloads have some, and name no currency. */
const HAS_AMOUNT: Readonly<Record<string, (payload: JsonObject) => boolean>> = {
  products: ({ price }) => isObject(price) && typeof ownValue(price, 'salePrice') === 'number',
  orders: ({ details }) =>
    Array.isArray(details) &&
    details.some((line) => isObject(line) && typeof ownValue(line, 'price') === 'number'),
};

/** Notes the currency of a record with amounts: a store has one. */
export function noteCurrency(marks: Marks, record: SourceRecord, payload: JsonObject): void {
  const code = currencyOf(record);
  if (code !== undefined && HAS_AMOUNT[marks.resource]?.(payload))
    mark(marks, MARK + code, leadRowNumber(record));
}

/** Finds the records whose currency is not the most frequent one. */
export function currenciesIn(marks: Readonly<Record<string, OpenMark>>): FoundIn[] {
  const found = Object.entries(marks)
    .filter(([name]) => name.startsWith(MARK))
    .map(([name, [count, rows]]) => ({ code: name.slice(MARK.length), count, rows }))
    .sort((a, b) => b.count - a.count);
  const [most, ...others] = found;
  if (!most || others.length === 0) return [];
  const count = others.reduce((sum, each) => sum + each.count, 0);
  const shown = found.slice(0, MAX_CURRENCIES).map((each) => `${grouped(each.count)} × ${each.code}`);
  return [
    {
      ...{ code: 'several-currencies', field: 'price', count },
      rows: others
        .flatMap(({ rows }) => rows)
        .sort((a, b) => a - b)
        .slice(0, MAX_ROWS),
      message: `The amounts are of several currencies, and the store has one: ${shown.join(', ')}.`,
      advice: `Leave the rows of the others out with --skip-rows, or import them into a store of their currency.`,
    },
  ];
}
