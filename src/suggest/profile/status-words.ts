/** The state of a product: on sale, not shown, or in the trash. */
export type ProductState = 'PUBLISH' | 'DRAFT' | 'TRASH';

/** Words of exports, in lower case. */
const WORDS: Readonly<Record<ProductState, string>> = {
  PUBLISH:
    'publish published active enabled visible online live yes true 1 y on approved oui si sí sì ja sim tak evet да はい ' +
    'sichtbar visibile widoczny widoczna widoczne zichtbaar synlig видимый ' +
    'activo activa actif aktiv attivo ativo actief aktywny aktif активен активный publié publicado pubblicato',
  DRAFT:
    'draft drafts inactive disabled hidden offline no false 0 n off pending private unpublished proposed rejected unlisted ' +
    'unapproved scheduled retired obsolete suspended blocked sold -1 2 non nein não nao nie ne hayır нет いいえ inactivo inactif inaktiv inattivo inativo nieaktywny pasif ' +
    'неактивен brouillon borrador bozza entwurf rascunho concept черновик discontinued deactivated invisible ' +
    'versteckt verborgen ausgeblendet deaktiviert gesperrt masqué caché désactivé oculto desactivado nascosto disattivato ' +
    'uitgeschakeld ukryty wyłączony dold skjult скрыт скрытый отключен отключён приховано вимкнено ascuns dezactivat rejtett inaktív ' +
    'skrytý vypnuto 非表示 無効 非公開 隐藏 停用 下架 숨김 미사용 ẩn',
  TRASH: 'archived trash trashed deleted archivé archivado archiviert archiviato arquivado',
};

const TABLE = new Map<string, ProductState>(
  Object.entries(WORDS).flatMap(([state, words]) =>
    words.split(' ').map((word): [string, ProductState] => [word, state as ProductState]),
  ),
);

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
    return NEGATIONS.has(word) && next.some((each) => SHOWN.has(each) || TABLE.get(each) === 'PUBLISH');
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
    const state = TABLE.get(word) ?? (isNegated(word) ? 'DRAFT' : undefined);
    if (state !== undefined) known.set(word, state);
  }
  return { known, unknown: folded.filter((word) => !known.has(word)) };
}
