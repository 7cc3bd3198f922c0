import { fold } from '../../../map/index.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';

/** Words that are a type as a whole, in lower case; `_` is a blank. */
const WHOLE: Readonly<Record<string, string>> = {
  percentage:
    '% rate pct prozent prozentual prozentsatz pourcentage porcentaje percentuale porcentagem percentual procent procentowy procentní procenta ' +
    'prosentti prosentti-alennus prosent százalék százalékos процент процентная відсоток yüzde ποσοστό persen persentase phần_trăm אחוז 百分比 折扣 割引率 定率 할인율 정률',
  fixed_amount:
    '€ £ $ eur euro usd gbp chf pln zł sek nok dkk czk kč huf ron flat flat_rate flat_amount absolute amount amount_off value money betrag festbetrag fester_betrag wert montant montant_fixe importe importe_fijo monto monto_fijo importo importo_fisso fisso ' +
    'fijo valor valor_fixo fixo bedrag vast_bedrag kwota kwotowy stała_kwota belopp fast_belopp beløb fast_beløb beløp částka pevná_částka fix_összeg összeg ' +
    'summa kiinteä kiinteä_summa сумма фиксированная фиксированная_сумма сума фіксована tutar sabit_tutar sabit sumă sumă_fixă σταθερό_ποσό ποσό nominal ' +
    'jumlah_tetap số_tiền סכום_קבוע 固定金额 金额 定額 정액',
  free_shipping:
    'shipping port_offert frais_de_port_offerts free_delivery gratis_versand versand_gratis portes_gratis gratis_porto versandkostenfrei gratisversand kostenloser_versand livraison_gratuite livraison_offerte envío_gratis envío_gratuito spedizione_gratuita frete_grátis ' +
    'gratis_verzending darmowa_dostawa бесплатная_доставка безкоштовна_доставка fri_frakt gratis_frakt gratis_fragt ilmainen_toimitus ' +
    'doprava_zdarma ingyenes_szállítás ücretsiz_kargo livrare_gratuită δωρεάν_αποστολή gratis_ongkir miễn_phí_vận_chuyển משלוח_חינם 包邮 免运费 送料無料 무료배송',
};

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(WHOLE).flatMap(([type, words]) =>
    words.split(' ').map((word): [string, string] => [fold(word), type]),
  ),
);

/** Parts of words that say a type: `by_percent`, `cart_fixed`. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/(^|_)percent(age)?(_|$)/, 'percentage'],
  [/(^|_)fixed(_|$)/, 'fixed_amount'],
  [/(^|_)free_?shipping(_|$)/, 'free_shipping'],
];

/** The type of discounts that a word says; undefined if it is not known. */
export function typeOf(word: string): string | undefined {
  const folded = fold(word.trim().replaceAll(/[\s-]+/g, '_'));
  return TYPES.get(folded) ?? PARTS.find(([part]) => part.test(folded))?.[1];
}

function hasKnownType({ candidate: { profile } }: RoleMatch): boolean {
  return [...profile.distinct].some((word) => typeOf(word) !== undefined);
}

/**
 * The column with the type of each discount. Prefers one whose words are known, since other columns of that name hold numbers of
 * the program that exported them, then one whose cells are mostly words of types, whatever it is called.
 */
export function discountType(
  columns: readonly ColumnCandidate[],
  matches: readonly RoleMatch[],
): RoleMatch | undefined {
  const named = matches.filter(({ role }) => role === 'type');
  return named.find(hasKnownType) ?? typeByCells(columns, matches) ?? named[0];
}

function typeByCells(
  columns: readonly ColumnCandidate[],
  matches: readonly RoleMatch[],
): RoleMatch | undefined {
  const used = new Set(matches.map(({ candidate }) => candidate.name));
  const isType = ({ name, profile: { filled } }: ColumnCandidate) => {
    const parts = filled.filter((cell) => PARTS.some(([part]) => part.test(cell.toLowerCase())));
    const words = filled.filter((cell) => typeOf(cell) !== undefined);
    // A word such as `EUR` or `Shipping` has another meaning in a column without the word of another type.
    const kinds = new Set(words.map(typeOf));
    const isSaid = parts.length >= 0.5 * filled.length || (words.length === filled.length && kinds.size > 1);
    return !used.has(name) && filled.length > 0 && isSaid;
  };
  const [candidate, ...others] = columns.filter(isType);
  return candidate && others.length === 0 ? { role: 'type', candidate, score: BY_CELLS } : undefined;
}

/** Certainty of a type that only its cells show. */
const BY_CELLS = 0.9;
