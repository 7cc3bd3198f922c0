import type { RoleMatch } from '../match/candidate.ts';
import { matchRoles } from '../match/candidate.ts';
import type { Dictionary } from '../names/dictionary.ts';
import { readName, says } from '../names/read-name.ts';
import type { ObjectList } from '../objects.ts';
import { PRODUCT_ROLES } from '../roles/products.ts';
import { type ReadColumn, readSampleColumns } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';
import { weightEntries } from './measures.ts';
import type { Notes } from './notes.ts';
import { priceRules } from './prices.ts';
import { numberRule, type RuleText, textRule } from './rules.ts';
import { stockRule } from './stock.ts';

/** Adds what the lists of objects inside JSON objects hold: images, options, variants, categories and tags. */
export function addObjectLists(notes: Notes, lists: readonly ObjectList[], dictionary: Dictionary): void {
  for (const list of lists) {
    const kind = KINDS.find(({ concept }) => isCalled(list, concept, dictionary));
    const columns = readSampleColumns(list.columns, dictionary);
    if (!kind || notes.fields.some(({ field }) => field === kind.field)) continue;
    kind.add(notes, list.path, columns);
  }
}

interface ListKind {
  readonly concept: Concept;
  readonly field: string;
  readonly add: (notes: Notes, path: string, columns: readonly ReadColumn[]) => void;
}

/** Meanings of lists, by what they are called. */
const KINDS: readonly ListKind[] = [
  { concept: 'image', field: 'images', add: addImageList },
  { concept: 'variant', field: 'variants', add: addVariantList },
  { concept: 'option', field: 'options', add: addOptionList },
  { concept: 'category', field: 'collections', add: addNamedList('collections') },
  { concept: 'tag', field: 'tags', add: addNamedList('tags') },
];

/** The last word of a path counts: `product.images`. */
function isCalled({ path }: ObjectList, concept: Concept, dictionary: Dictionary): boolean {
  const reading = readName(path.split('.').at(-1) ?? path, dictionary);
  return reading.unknown.length === 0 && says(reading, concept);
}

function addImageList(notes: Notes, path: string, columns: readonly ReadColumn[]): void {
  const src = columns.find(({ profile }) => Math.max(profile.share('picture'), profile.share('url')) >= 0.7);
  const alt = columns.find(({ reading }) => says(reading, 'alt'));
  if (!src) return;
  const isPath = src.profile.filled.some((cell) => !/^(https?:)?\/\//i.test(cell));
  notes.add(
    'images',
    {
      each: { in: path },
      needs: 'src',
      unique: 'src',
      fields: { src: isPath ? { from: src.name, url: true } : src.name, ...(alt ? { title: alt.name } : {}) },
    },
    { candidates: [inList(path, src)], score: 1 },
  );
}

function addOptionList(notes: Notes, path: string, columns: readonly ReadColumn[]): void {
  const name = columns.find(({ reading }) => says(reading, 'name') || says(reading, 'title'));
  const values = columns.find(
    ({ reading, profile }) => says(reading, 'value') && profile.share('json-list') > 0.9,
  );
  if (!name || !values) return;
  notes.add(
    'options',
    {
      each: { in: path },
      fields: { name: name.name, values: { each: { in: values.name }, fields: { value1: '.' } } },
    },
    { candidates: [inList(path, name), inList(path, values)], score: 1 },
  );
}

function addNamedList(field: string): ListKind['add'] {
  return (notes, path, columns) => {
    const name = columns.find(({ reading }) => says(reading, 'name') || says(reading, 'title'));
    if (!name) return;
    const rule =
      field === 'tags'
        ? { expression: `${path}.${name.name}` }
        : { each: { in: path }, fields: { name: name.name } };
    notes.add(field, rule, { candidates: [inList(path, name)], score: 1 });
  };
}

/** Variants, and what the product has of them: the price of the first, and the stock of all. */
function addVariantList(notes: Notes, path: string, columns: readonly ReadColumn[]): void {
  const matches = matchRoles(columns, PRODUCT_ROLES);
  const byRole = (role: string): readonly RoleMatch[] =>
    matches.filter((match) => match.role === role && match.score > 0.9);
  const [name] = [...byRole('variantName'), ...byRole('name')];
  const [sku] = byRole('sku');
  const [stock] = byRole('stock');
  const [weight] = byRole('weight');
  const prices = priceRules(byRole, { kind: 'rows' });
  const fields: Record<string, RuleText | undefined> = {
    ...(name ? { name: textRule(name.candidate) } : {}),
    ...(sku ? { reference: textRule(sku.candidate) } : {}),
    ...Object.fromEntries(prices.map(({ field, rule }) => [field, rule])),
    'quantity.instock': stockRule(byRole, 'row').rule,
    ...(weight ? Object.fromEntries(weightEntries(weight.candidate)) : {}),
  };
  const found = Object.fromEntries(Object.entries(fields).filter(([, rule]) => rule !== undefined));
  if (Object.keys(found).length === 0) return;
  const has = (field: string) => notes.fields.some((each) => each.field === field);
  const price = prices.find(({ field }) => field === 'price.salePrice')?.matches.at(-1);
  if (price && !has('price.salePrice')) {
    const candidate = inList(path, price.candidate);
    notes.add('price.salePrice', numberRule(candidate, { across: 'lead' }), {
      candidates: [candidate],
      score: price.score,
    });
  }
  if (stock && !has('quantity.instock')) {
    const candidate = inList(path, stock.candidate);
    notes.add('quantity.instock', numberRule(candidate, { across: 'sum' }), {
      candidates: [candidate],
      score: stock.score,
    });
  }
  notes.add(
    'variants',
    { each: { in: path }, fields: found },
    { candidates: sku ? [inList(path, sku.candidate)] : [], score: 1 },
  );
}

/** A field of a list's items, as it is named outside of the list. */
function inList<T extends { readonly name: string }>(path: string, column: T): T {
  return { ...column, name: `${path}[].${column.name}` };
}
