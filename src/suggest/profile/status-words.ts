import { BOOLEAN_WORDS } from '../../map/index.ts';

/** The state of a product: on sale, not shown, or in the trash. */
export type ProductState = 'PUBLISH' | 'DRAFT' | 'TRASH';

/** Words of exports, in lower case; `_` is a blank. */
const WORDS: Readonly<Record<ProductState, string>> = {
  PUBLISH:
    'publish published active enabled visible online live on approved listed for_sale ' +
    'sichtbar visibile widoczny widoczna widoczne zichtbaar synlig видимый ' +
    'activo activa actif aktiv attivo attiva ativo ativa actief aktywny aktywna aktywne aktif активен активна активный продается продаётся publié publiée publicado publicada ' +
    'pubblicato pubblicata gepubliceerd opublikowany opublikowane publiziert veröffentlicht udgivet publiceret publicerad publisert julkaistu aktiivinen näkyvissä ' +
    'aktivní aktívny zveřejněno aktív közzétéve activ publicat опубликован опубліковано активний yayında satışta en_ligne en_vente im_verkauf till_salu til_salg ' +
    '公開 有効 販売中 上架 在售 已发布 판매중 진열',
  DRAFT:
    'draft drafts inactive disabled hidden offline off pending private unpublished proposed rejected unlisted ' +
    'unapproved scheduled retired obsolete suspended blocked sold -1 2 inactivo inactiva inactif inaktiv inattivo inattiva inativo inativa nieaktywny nieaktywna pasif ' +
    'неактивен не_продается не_продаётся tükendi brouillon borrador bozza entwurf rascunho concept черновик discontinued deactivated invisible ' +
    'versteckt verborgen ausgeblendet deaktiviert gesperrt masqué caché désactivé oculto desactivado nascosto disattivato ' +
    'uitgeschakeld ukryty wyłączony dold skjult скрыт скрытый отключен отключён приховано вимкнено ascuns dezactivat rejtett inaktív ' +
    'skrytý vypnuto 非表示 無効 非公開 隐藏 停用 下架 숨김 미사용 ẩn ' +
    'withdrawn paused expired delisted ended removed coming_soon not_for_sale in_review under_review pausiert abgelaufen szkic kladde utkast luonnos piszkos ' +
    'suspendu suspendido sospeso suspenso opgeschort zawieszony zakończona zakończony pausada pausado finalizada finalizado pauset pausad en_pause pausado expiré expirado scaduto verlopen ' +
    'piilotettu epäaktiivinen neaktivní neaktívny inactiv inactivă taslak 下書き 草稿 임시저장 미진열 nonaktif',
  TRASH:
    'archived trash trashed deleted archivé archivée archivado archivada archiviert archiviato archiviata arquivado arquivada gearchiveerd zarchiwizowany arkiveret arkiverad arkivert ' +
    'arkistoitu archivováno archivált gelöscht supprimé supprimée eliminado eliminada borrado eliminato cancellato excluído verwijderd usunięty usunięte удален удалён удалено slettet raderad borttagen ' +
    'poistettu smazáno törölt silindi șters видалено 削除 已删除 삭제 papierkorb corbeille papelera cestino lixeira prullenbak kosz',
};

/** Yes and no: a state only in a column whose name says which. */
const ANSWERS = [...BOOLEAN_WORDS].map(([word, isYes]): [string, ProductState] => [
  word,
  isYes ? 'PUBLISH' : 'DRAFT',
]);

/** Words for goods that are no longer sold. */
const GONE =
  'discontinued retired obsolete withdrawn delisted auslauf auslaufartikel auslaufend ausgelaufen eingestellt abgekündigt ' +
  'fin_de_vie plus_en_vente abandonné retiré descatalogado descontinuado descontinuada fuori_produzione fuori_catalogo dismesso vervallen uit_assortiment ' +
  'wycofany wycofane udgået utgått utgået utgången poistunut ukončeno kifutott megszűnt снят_с_производства снят_с_продажи знято_з_виробництва ' +
  'scos_din_fabricație üretimden_kalktı 廃番 生産終了 販売終了 停产 停售 단종 판매중지 ngừng_bán ngừng_kinh_doanh dihentikan เลิกผลิต καταργημένο';

function wordsOf(list: string): string[] {
  return list.split(' ').map((word) => word.replaceAll('_', ' '));
}

const GONE_WORDS: ReadonlySet<string> = new Set(wordsOf(GONE));

const TABLE: ReadonlyMap<string, ProductState> = new Map([
  ...[...Object.entries(WORDS), ['DRAFT', GONE] as const].flatMap(([state, words]) =>
    wordsOf(words).map((word): [string, ProductState] => [word, state as ProductState]),
  ),
  ...ANSWERS,
]);

const ANSWER_WORDS: ReadonlySet<string> = new Set([
  ...BOOLEAN_WORDS.keys(),
  // Numbers and small words that are states only beside others.
  ...['-1', '2', 'on', 'off', 'sold', 'concept', 'private', 'pending'],
]);

function stateOf(word: string): ProductState | undefined {
  return TABLE.get(word) ?? TABLE.get(word.replaceAll(/[\s_-]+/g, ' ').trim());
}

/** True if at least half of the cells say a state by themselves: `Live`, `Withdrawn`. */
export function saysState(cells: readonly string[]): boolean {
  const isState = (cell: string) => {
    const word = cell.toLowerCase();
    return !ANSWER_WORDS.has(word) && (stateOf(word) !== undefined || isNegated(word));
  };
  return cells.length > 0 && cells.filter(isState).length >= MIN_STATES * cells.length;
}
const MIN_STATES = 0.5;

/** The words of texts for goods that are no longer sold, in lower case. */
export function goneWords(texts: Iterable<string>): string[] {
  const words = [...new Set([...texts].map((text) => text.toLowerCase()))];
  return words.filter((word) => GONE_WORDS.has(word.replaceAll(/[\s_-]+/g, ' ').trim()));
}

/** Words that turn the word behind them into its opposite. */
const NEGATIONS = new Set('not no non never nicht kein pas nie niet ei inte ikke não nao не'.split(' '));

/** Words that say shown or sold, and are no states by themselves. */
const SHOWN = new Set(
  'sichtbar visible visibile visível widoczny zichtbaar synlig näkyvä видимый видим sale verkauf'.split(' '),
);

/** True if a text says that something is not shown or not on sale, such as `Not visible individually`. */
function isNegated(text: string): boolean {
  const words = text.split(/[^\p{L}]+/u);
  return words.some((word, at) => {
    const next = words.slice(at + 1, at + 3);
    return NEGATIONS.has(word) && next.some((each) => SHOWN.has(each) || stateOf(each) === 'PUBLISH');
  });
}

/** Pairs of opposite words: a sample may have only one of them. */
const OPPOSITES = [
  ['true', 'false'],
  ['1', '0'],
  ['yes', 'no'],
  ['y', 'n'],
  ['active', 'inactive'],
  ['enabled', 'disabled'],
  ['published', 'draft'],
  ['visible', 'hidden'],
];

/** The known words of texts with this state, in lower case, with their opposites. */
export function wordsOfState(texts: Iterable<string>, wanted: ProductState): string[] {
  return [...productStates([...texts]).known].flatMap(([word, state]) => (state === wanted ? [word] : []));
}

/** The state for each known word and for its opposite, and the words that are not known. */
export function productStates(words: readonly string[]): {
  readonly known: ReadonlyMap<string, ProductState>;
  readonly unknown: readonly string[];
} {
  const folded = [...new Set(words.map((word) => word.toLowerCase()))];
  const others = OPPOSITES.flatMap((pair) => (pair.some((word) => folded.includes(word)) ? pair : []));
  const known = new Map<string, ProductState>();
  for (const word of [...folded, ...others]) {
    const state = stateOf(word) ?? (isNegated(word) ? 'DRAFT' : undefined);
    if (state !== undefined) known.set(word, state);
  }
  return { known, unknown: folded.filter((word) => !known.has(word)) };
}
