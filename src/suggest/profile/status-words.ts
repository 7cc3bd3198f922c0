/** The state of a product: on sale, not shown, or in the trash. */
export type ProductState = 'PUBLISH' | 'DRAFT' | 'TRASH';

/** Words of exports, in lower case. */
const WORDS: Readonly<Record<ProductState, string>> = {
  PUBLISH:
    'publish published active enabled visible online live yes true 1 y on approved oui si sí sì ja sim tak evet да はい ' +
    'activo activa actif aktiv attivo ativo actief aktywny aktif активен активный publié publicado pubblicato',
  DRAFT:
    'draft drafts inactive disabled hidden offline no false 0 n off pending private unpublished proposed rejected unlisted ' +
    'unapproved scheduled -1 2 non nein não nao nie ne hayır нет いいえ inactivo inactif inaktiv inattivo inativo nieaktywny pasif ' +
    'неактивен brouillon borrador bozza entwurf rascunho concept черновик discontinued',
  TRASH: 'archived trash trashed deleted archivé archivado archiviert archiviato arquivado',
};

const TABLE = new Map<string, ProductState>(
  Object.entries(WORDS).flatMap(([state, words]) =>
    words.split(' ').map((word): [string, ProductState] => [word, state as ProductState]),
  ),
);

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

/** The state for each word and for its opposite; undefined if one of them is not known. */
export function productStates(words: readonly string[]): ReadonlyMap<string, ProductState> | undefined {
  const folded = [...new Set(words.map((word) => word.toLowerCase()))];
  const others = OPPOSITES.flatMap((pair) => (pair.some((word) => folded.includes(word)) ? pair : []));
  const states = [...new Set([...folded, ...others])].map((word) => [word, TABLE.get(word)] as const);
  return states.every(([, state]) => state !== undefined)
    ? new Map(states as [string, ProductState][])
    : undefined;
}
