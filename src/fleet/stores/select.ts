import { ConfigError, MistypedError, printedCommand, shownWord } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';

/** A store that a selection names. */
export interface SelectedStore {
  readonly number: number;
  readonly name: string;
}

interface Selection {
  readonly all: boolean;
  readonly names: readonly string[];
  readonly tags: readonly string[];
}

/** Parses `all`, a name, `tag:NAME`, or several of them with commas between. Throws ConfigError for an empty one. */
function parseSelection(text: string): Selection {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => part === '' || part === 'tag:'))
    throw new ConfigError('Which stores? Name them, or tags as tag:NAME, with commas between; or all.');
  return {
    all: parts.includes('all'),
    names: parts.filter((part) => part !== 'all' && !part.startsWith('tag:')),
    tags: parts.filter((part) => part.startsWith('tag:')).map((part) => part.slice('tag:'.length)),
  };
}

/** Throws ConfigError unless the text can be a selection. Names are checked when it is used. */
export function refuseWrongSelection(text: string): void {
  parseSelection(text);
}

/**
 * The stores that a text names: `all`, a name, `tag:NAME`, or several with commas between. In the order of their names, each
 * once. Throws ConfigError for a name or a tag that no store has.
 */
export async function selectStores(sql: Sql, text: string): Promise<SelectedStore[]> {
  const { where, values } = await whereSelected(sql, text);
  return sql.query<SelectedStore>(
    `select number, name from store where removed_at is null and ${where} order by name`,
    values,
  );
}

/** Stores that a selection finds, and its parts that no store has, as they are written: `paris`, `tag:big`. */
export interface PresentStores {
  readonly stores: readonly SelectedStore[];
  readonly absent: readonly string[];
}

/** As `selectStores` for several selections, which were checked earlier: stores may be gone since. */
export async function selectPresent(sql: Sql, texts: readonly string[]): Promise<PresentStores[]> {
  const all = await sql.query<SelectedStore & { readonly tags: readonly string[] }>(
    'select number, name, tags from store where removed_at is null order by name',
  );
  const names = new Set(all.map(({ name }) => name));
  const tags = new Set(all.flatMap((store) => store.tags));
  return texts.map((text) => {
    const selection = parseSelection(text);
    const [wantedNames, wantedTags] = [new Set(selection.names), new Set(selection.tags)];
    const isSelected = (store: (typeof all)[number]) =>
      selection.all || wantedNames.has(store.name) || store.tags.some((tag) => wantedTags.has(tag));
    return {
      stores: all.filter(isSelected).map(({ number, name }) => ({ number, name })),
      absent: [
        ...selection.names.filter((name) => !names.has(name)),
        ...selection.tags.filter((tag) => !tags.has(tag)).map((tag) => `tag:${tag}`),
      ],
    };
  });
}

/** True if a selection has the name of the store in it. */
export function namesStore(text: string, store: string): boolean {
  return parseSelection(text).names.includes(store);
}

/** Condition on `store` for a selection, with `$1` and `$2`. Throws ConfigError for a name or a tag that no store has. */
export async function whereSelected(
  sql: Sql,
  text: string,
): Promise<{ readonly where: string; readonly values: readonly unknown[] }> {
  const { all, names, tags } = parseSelection(text);
  await refuseAbsent(sql, 'name', names);
  await refuseAbsent(sql, 'tag', tags);
  return {
    where: '($1::text[] is null or store.name = any ($1::text[]) or store.tags && $2::text[])',
    values: all ? [null, null] : [names, tags],
  };
}

const PRESENT = {
  name: 'select name as word from store where removed_at is null order by name',
  tag: 'select distinct unnest(tags) as word from store where removed_at is null order by word',
};

async function refuseAbsent(sql: Sql, what: keyof typeof PRESENT, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  const present = (await sql.query<{ word: string }>(PRESENT[what])).map(({ word }) => word);
  const absent = wanted.find((word) => !present.includes(word));
  if (absent === undefined) return;
  const subject =
    what === 'name'
      ? `There is no store "${shownWord(absent)}"`
      : `No store has the tag "${shownWord(absent)}"`;
  throw new MistypedError(
    `${subject}.`,
    [
      present.length === 0
        ? `There are none yet. To add ${what === 'name' ? 'a store' : 'one with a store'}: storeport fleet store add --help`
        : `To see ${what === 'name' ? 'all stores' : 'the tags'}: ${printedCommand('fleet store list')}`,
    ],
    { word: absent, names: () => present },
  );
}
