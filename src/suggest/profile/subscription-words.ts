import { fold } from '../../map/index.ts';

/** Words of people who get a newsletter, and of those who do not, in lower case; `_` is a blank. */
const YES =
  'subscribed subscriber resubscribed opted_in opt_in optin single_opt_in double_opt_in confirmed_opt_in ' +
  'abonniert angemeldet eingetragen abonné abonnée inscrit inscrite suscrito suscrita inscrito inscrita assinante subscrito iscritto iscritta ' +
  'ingeschreven aangemeld geabonneerd prenumererar prenumerant tilmeldt abonnerer påmeldt tilannut zapisany zapisana subskrybuje ' +
  'přihlášen přihlášena odebírá feliratkozott feliratkozva abonat подписан подписана підписаний підписана abone εγγεγραμμένος berlangganan ' +
  'đã_đăng_ký רשום 已订阅 订阅 購読中 購読 구독 구독중 수신동의';
const NO =
  'unsubscribed non_subscribed not_subscribed never_subscribed nonsubscribed opted_out opt_out optout ' +
  'abgemeldet ausgetragen nicht_abonniert nicht_angemeldet désabonné désabonnée désinscrit désinscrite non_abonné non_inscrit ' +
  'no_suscrito no_suscrita desuscrito não_inscrito não_inscrita disiscritto disiscritta non_iscritto non_iscritta uitgeschreven afgemeld niet_ingeschreven ' +
  'avregistrerad avprenumererad afmeldt ikke_tilmeldt avmeldt ei_tilannut peruttu wypisany wypisana odhlášen odhlášena neodebírá ' +
  'leiratkozott dezabonat отписан отписана не_подписан відписаний відписана abone_değil tidak_berlangganan 未订阅 已退订 退订 購読解除 未購読 수신거부 구독취소';
/** Words that say it only beside the others: `active` alone is the state of an account. */
const YES_BESIDE = 'active yes true y 1 confirmed';
const NO_BESIDE =
  'cleaned bounced pending unconfirmed not_confirmed inactive no false n 0 archived deleted complained complaint spam blocked suppressed ' +
  'transactional not_set none unknown never removed junk invalid redacted';

function listOf(words: string): string[] {
  return words.split(' ').map((word) => fold(word.replaceAll('_', ' ')));
}

const OWN: ReadonlyMap<string, boolean> = new Map([
  ...listOf(YES).map((word) => [word, true] as const),
  ...listOf(NO).map((word) => [word, false] as const),
]);
const ALL: ReadonlyMap<string, boolean> = new Map([
  ...OWN,
  ...listOf(YES_BESIDE).map((word) => [word, true] as const),
  ...listOf(NO_BESIDE).map((word) => [word, false] as const),
]);

function wordOf(cell: string): string {
  return fold(cell.trim().replaceAll(/[\s_-]+/g, ' '));
}

/** Share of the cells that must say by themselves who gets a newsletter. */
const MIN_SAID = 0.5;
/** Share of the cells whose words must be known. */
const MIN_KNOWN = 0.8;

/** True if cells say who gets a newsletter: `subscribed`, `unsubscribed`. */
export function saysSubscription(cells: readonly string[]): boolean {
  const words = cells.map(wordOf);
  return (
    words.filter((word) => ALL.has(word)).length >= MIN_KNOWN * words.length &&
    words.filter((word) => OWN.has(word)).length >= Math.max(1, MIN_SAID * words.length)
  );
}

/** True or false for each word of a column with subscriptions, and the words that are not known. */
export function subscriptions(texts: Iterable<string>): {
  readonly known: ReadonlyMap<string, boolean>;
  readonly unknown: readonly string[];
} {
  const folded = [...new Set([...texts].map((text) => text.toLowerCase()))];
  const known = new Map<string, boolean>();
  for (const text of [...folded, ...OPPOSITES]) {
    const isSubscriber = ALL.get(wordOf(text));
    if (isSubscriber !== undefined) known.set(text, isSubscriber);
  }
  return { known, unknown: folded.filter((text) => !known.has(text)) };
}

/** Words that a sample may lack. */
const OPPOSITES = ['subscribed', 'unsubscribed'];
