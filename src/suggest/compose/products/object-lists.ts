import type { RoleMatch } from '../../match/candidate.ts';
import { matchRoles } from '../../match/candidate.ts';
import type { Dictionary } from '../../names/dictionary.ts';
import { readName, says } from '../../names/read-name.ts';
import type { ObjectList } from '../../objects.ts';
import { PRODUCT_ROLES } from '../../roles/products.ts';
import { type ReadColumn, readSampleColumns } from '../../sample.ts';
import type { Concept } from '../../words/concepts.ts';
import type { Notes } from '../notes.ts';
import { type ListedOption, optionsOfObjects } from '../options/listed-variants.ts';
import { NO_OPTION, optionCondition, typeRule } from '../options/variants.ts';
import { priceRules } from '../prices/prices.ts';
import { numberRule, type RuleText, textRule } from '../rules.ts';
import { weightEntries } from './measures.ts';
import { stockRule } from './stock.ts';

/** Adds what the lists of objects inside JSON objects hold: images, options, variants, categories and tags. */
export function addObjectLists(notes: Notes, lists: readonly ObjectList[], dictionary: Dictionary): void {
  const read = lists.map((list) => ({
    list,
    kind: KINDS.find(({ concepts }) => concepts.some((concept) => isCalled(list, concept, dictionary))),
    columns: readSampleColumns(list.columns, dictionary),
  }));
  const options = read.find(({ kind, columns }) => kind?.field === 'options' && optionColumns(columns));
  for (const { list, kind, columns } of read) {
    if (!kind || notes.fields.some(({ field }) => field === kind.field)) continue;
    kind.add(notes, { list, path: list.path, columns, optionList: options?.list.path, dictionary });
  }
}

/** A list, and what a rule about it needs. */
interface ReadList {
  readonly list: ObjectList;
  readonly path: string;
  readonly columns: readonly ReadColumn[];
  /** Path of the list of options; undefined if there is none. */
  readonly optionList: string | undefined;
  readonly dictionary: Dictionary;
}

interface ListKind {
  /** Meanings of its name. */
  readonly concepts: readonly Concept[];
  readonly field: string;
  readonly add: (notes: Notes, read: ReadList) => void;
}

/** Meanings of lists, by what they are called. */
const KINDS: readonly ListKind[] = [
  { concepts: ['image'], field: 'images', add: addImageList },
  { concepts: ['variant', 'sku'], field: 'variants', add: addVariantList },
  { concepts: ['option'], field: 'options', add: addOptionList },
  { concepts: ['category'], field: 'collections', add: addNamedList('collections') },
  { concepts: ['tag'], field: 'tags', add: addNamedList('tags') },
];

/** The last word of a path counts: `product.images`. */
function isCalled({ path }: ObjectList, concept: Concept, dictionary: Dictionary): boolean {
  const reading = readName(path.split('.').at(-1) ?? path, dictionary);
  return reading.unknown.length === 0 && says(reading, concept);
}

function addImageList(notes: Notes, { path, columns }: ReadList): void {
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

/** The name and the values of options. */
function optionColumns(columns: readonly ReadColumn[]) {
  const name = columns.find(({ reading }) => says(reading, 'name') || says(reading, 'title'));
  const values = columns.find(
    ({ reading, profile }) => says(reading, 'value') && profile.share('json-list') > 0.9,
  );
  return name && values && { name, values };
}

function addOptionList(notes: Notes, { path, columns }: ReadList): void {
  const found = optionColumns(columns);
  if (!found) return;
  const { name, values } = found;
  const isDefault = values.profile.filled.some((cell) =>
    NO_OPTION.some((word) => cell === JSON.stringify([word])),
  );
  notes.add(
    'options',
    {
      each: { in: path },
      ...(isDefault ? { when: { [`${values.name}.0`]: { 'is-not': [...NO_OPTION, ''] } } } : {}),
      fields: { name: name.name, values: { each: { in: values.name }, fields: { value1: '.' } } },
    },
    { candidates: [inList(path, name), inList(path, values)], score: 1 },
  );
}

function addNamedList(field: string): ListKind['add'] {
  return (notes, { path, columns }) => {
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
function addVariantList(notes: Notes, read: ReadList): void {
  const { path, columns } = read;
  const matches = matchRoles(columns, PRODUCT_ROLES);
  const byRole = (role: string): readonly RoleMatch[] =>
    matches.filter((match) => match.role === role && match.score > 0.9);
  const [name] = [...byRole('variantName'), ...byRole('name')];
  const { options, rule, doubt, left } = optionsOfObjects({ ...read, matches, byRole });
  const added = options.flatMap(({ candidates }) => candidates.map((candidate) => inList(path, candidate)));
  const [sku] = byRole('sku');
  const [stock] = byRole('stock');
  const [weight] = byRole('weight');
  const prices = priceRules(byRole, { kind: 'rows' });
  const fields: Record<string, RuleText | undefined> = {
    ...(name
      ? { name: textRule(name.candidate) }
      : options.length > 0
        ? { name: { from: options.map(({ value }) => value), join: ' - ' } }
        : {}),
    ...Object.fromEntries(
      options.flatMap((option, index) => [
        [`option${index + 1}.name`, option.name],
        [`option${index + 1}.value1`, option.value],
      ]),
    ),
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
  for (const { candidate, why } of left) notes.leave(inList(path, candidate), why, 'options');
  if (rule && !has('options')) notes.add('options', rule, { candidates: added, score: 1, doubt });
  if (options.length > 0 && !has('type')) {
    const conditions = options.map(({ value, candidates: [candidate] }) => {
      const first = `${path}.0.${value}`;
      return candidate ? optionCondition({ ...candidate, name: first }) : first;
    });
    notes.add('type', typeRule(conditions), { candidates: [], score: 1 });
  }
  notes.add(
    'variants',
    { each: { in: path }, ...notDefault(options), fields: found },
    { candidates: sku ? [inList(path, sku.candidate)] : [], score: 1 },
  );
}

/** Leaves out the only variant of a product that has no options, as platforms write it. */
function notDefault([first]: readonly ListedOption[]): { readonly when?: RuleText } {
  const [candidate] = first?.candidates ?? [];
  const condition = candidate && optionCondition(candidate);
  return condition === undefined || typeof condition === 'string' ? {} : { when: condition };
}

/** A field of a list's items, as it is named outside of the list. */
function inList<T extends { readonly name: string }>(path: string, column: T): T {
  return { ...column, name: `${path}[].${column.name}` };
}
