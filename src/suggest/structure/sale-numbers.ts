import { LIKELY, matchRoles } from '../match/candidate.ts';
import { says } from '../names/read-name.ts';
import { wordsIn } from '../names/tokens.ts';
import { ORDER_ROLES } from '../roles/orders.ts';
import type { ReadColumn } from '../sample.ts';

/** Words of a till for one sale. Beside the number of an order they are other numbers, such as the one of its payment. */
const OF_SALE: ReadonlySet<string> = new Set(
  wordsIn(
    'transaction transactions receipt ticket docket transaktion transaktions transaktionsnr kvitto kvittering kvitteringsnummer kuitti ticketnr ' +
      'transacción recibo transazione scontrino ricevuta transação transactie transakcja paragon účtenka nyugta bizonylat чек транзакция ' +
      'fiş işlem απόδειξη קבלה レシート 取引 小票 交易 영수증 거래',
  ),
);

/** Reads the number of a sale as the number of an order if no other column surely has one: `Transaction ID` of a till. */
export function readSaleNumbers(columns: readonly ReadColumn[]): readonly ReadColumn[] {
  const isKnown = matchRoles(columns, ORDER_ROLES).some(
    ({ role, score }) => role === 'number' && score >= LIKELY,
  );
  const isSale = ({ name, reading: { terms, unknown } }: ReadColumn) =>
    unknown.length === 1 &&
    unknown.every((word) => OF_SALE.has(word)) &&
    terms.every((term) => term.includes('id') || term.includes('number') || term.includes('code')) &&
    wordsIn(name).some((word) => OF_SALE.has(word));
  const sales = isKnown ? [] : columns.filter((column) => isSale(column) && !says(column.reading, 'payment'));
  if (sales.length !== 1) return columns;
  return columns.map((column) =>
    column === sales[0]
      ? {
          ...column,
          reading: { ...column.reading, terms: [['order'], ...column.reading.terms], unknown: [] },
        }
      : column,
  );
}
