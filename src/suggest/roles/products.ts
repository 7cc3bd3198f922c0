import type { ColumnCandidate, Role } from '../match/candidate.ts';
import {
  amounts,
  availability,
  choices,
  codes,
  codesOrWords,
  flags,
  isNotZero,
  labels,
  looksLikeCodes,
  measures,
  pictures,
  quantities,
  sentences,
  slugs,
  texts,
  valuesOrLists,
  variantNames,
  words,
} from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import { LEVEL, PRICE_ROLES } from './prices.ts';
import { VISIBILITY_ROLES } from './visibility.ts';

/**
 * Meanings of the columns of products. Earlier ones win at equal scores. Roles without a field reserve their columns: a
 * cost or a price without tax must not become the price.
 */
export const PRODUCT_ROLES: readonly Role[] = [
  {
    name: 'name',
    named: [['name'], ['title'], ['full']],
    may: ['product', 'style', 'full', 'long', 'text', 'default', 'value'],
    fits: texts,
  },
  {
    name: 'name',
    named: [['product'], ['parent', 'name'], ['parent', 'title']],
    may: ['product'],
    fits: (candidate) => (looksLikeCodes(candidate) ? 0 : 0.7 * texts(candidate)),
  },
  {
    name: 'variantName',
    named: [['variant', 'name'], ['variant', 'title'], ['variant']],
    may: ['product'],
    fits: variantNames,
  },
  {
    name: 'sku',
    named: [['sku']],
    may: [...LEVEL, 'code', 'number', 'reference', 'id'],
    // Of two, the one that differs more: listings of several articles have a number too.
    fits: (candidate) => codes(candidate) * (0.995 + 0.005 * candidate.profile.distinctRate),
  },
  {
    name: 'code',
    named: [['reference'], ['code'], ['product', 'number'], ['number', 'reference'], ['model']],
    may: ['product', 'number', 'code', 'reference', 'variant'],
    fits: codes,
  },
  {
    name: 'code',
    named: [['product'], ['number']],
    may: [],
    fits: (candidate) =>
      looksLikeCodes(candidate) && (says(candidate.reading, 'product') || hasLetters(candidate))
        ? codes(candidate)
        : 0,
  },
  {
    name: 'slug',
    named: [['slug'], ['slug', 'url'], ['slug', 'id']],
    may: ['product', 'name', 'seo', 'title', 'url'],
    fits: slugs,
  },
  { name: 'id', named: [['id'], ['product', 'id']], may: ['product', 'number'], fits: codes },
  {
    name: 'short',
    named: [['short', 'description'], ['short', 'text'], ['short']],
    may: ['product', 'text', 'html', 'description', 'default', 'value'],
    fits: sentences,
  },
  {
    name: 'description',
    named: [['description'], ['html'], ['text', 'product'], ['text']],
    may: ['product', 'long', 'full', 'html', 'text', 'default', 'value'],
    fits: sentences,
  },
  {
    name: 'seoTitle',
    named: [
      ['seo', 'title'],
      ['seo', 'name'],
    ],
    may: ['product', 'default', 'value'],
    fits: texts,
  },
  {
    name: 'seoDescription',
    named: [['seo', 'description']],
    may: ['product', 'default', 'value'],
    fits: sentences,
  },
  {
    name: 'seoKeywords',
    named: [
      ['seo', 'keyword'],
      ['seo', 'tag'],
    ],
    may: ['product', 'default', 'value'],
    fits: words,
  },
  {
    name: 'tags',
    named: [['tag'], ['keyword']],
    may: ['product', 'name', 'value'],
    fits: labels,
    isMany: true,
    isFamily: true,
  },
  {
    name: 'categories',
    named: [['category']],
    may: ['product', 'name', 'default', 'full', 'title'],
    fits: words,
    isMany: true,
    isFamily: true,
  },
  { name: 'brand', named: [['brand']], may: ['product', 'name', 'title', 'company'], fits: words },
  { name: 'supplier', named: [['supplier']], may: ['product', 'name', 'company', 'default'], fits: words },
  ...PRICE_ROLES,
  {
    name: 'stock',
    // Goods on hand may be reserved, so the stock that is available comes first.
    named: [['available'], ['quantity', 'available'], ['stock'], ['quantity'], ['stock', 'number']],
    may: [...LEVEL, 'stock', 'quantity', 'available', 'amount', 'unit', 'total'],
    fits: quantities,
  },
  {
    name: 'available',
    named: [['available'], ['stock', 'available'], ['stock']],
    may: [...LEVEL, 'stock', 'available', 'status'],
    fits: availability,
    isCondition: true,
  },
  // A flag: whether the shop counts the stock at all.
  {
    name: 'tracked',
    named: [['tracked'], ['stock', 'tracked']],
    may: [...LEVEL, 'stock', 'quantity', 'tracked'],
    fits: flags,
    isCondition: true,
  },
  {
    name: 'weight',
    named: [['weight']],
    may: [...LEVEL, 'unit', 'measure', 'gross', 'net', 'value', 'shipping'],
    fits: (candidate) => (isNotZero(candidate) ? measures(candidate) : 0),
  },
  { name: 'weightUnit', named: [['weight', 'unit']], may: [...LEVEL, 'type'], fits: choices },
  {
    name: 'depth',
    named: [['depth'], ['length']],
    may: [...LEVEL, 'size', 'unit', 'measure', 'value'],
    fits: measures,
  },
  { name: 'width', named: [['width']], may: [...LEVEL, 'size', 'unit', 'measure', 'value'], fits: measures },
  {
    name: 'height',
    named: [['height']],
    may: [...LEVEL, 'size', 'unit', 'measure', 'value'],
    fits: measures,
  },
  {
    name: 'images',
    named: [['image'], ['image', 'url'], ['image', 'file']],
    may: [...LEVEL, 'name', 'url', 'file', 'slug', 'featured', 'full', 'number', 'position', 'text'],
    fits: pictures,
    isMany: true,
    isFamily: true,
  },
  { name: 'thumbnail', named: [['thumbnail']], may: [...LEVEL, 'image', 'url', 'file'], fits: pictures },
  {
    name: 'alt',
    named: [['alt', 'image'], ['alt']],
    may: [...LEVEL, 'text', 'title', 'name', 'image'],
    fits: texts,
    isFamily: true,
  },
  ...VISIBILITY_ROLES,
  {
    name: 'optionName',
    named: [['variant', 'name']],
    may: ['type', 'title'],
    fits: (candidate) => (candidate.numbers ? texts(candidate) : 0),
    isFamily: true,
  },
  {
    name: 'optionName',
    named: [
      ['option', 'name'],
      ['option', 'type'],
      ['option', 'title'],
      ['option', 'group'],
    ],
    may: ['variant', 'product', 'name', 'type', 'title'],
    fits: texts,
    isFamily: true,
    isMany: true,
  },
  {
    name: 'optionValue',
    named: [['option', 'value'], ['option', 'description'], ['variant', 'value'], ['option']],
    may: ['variant', 'product', 'value'],
    fits: (candidate) => (says(candidate.reading, 'name') ? 0 : valuesOrLists(candidate)),
    isFamily: true,
    isMany: true,
  },
  {
    name: 'axis',
    named: [['color'], ['size'], ['material']],
    may: ['variant', 'product', 'option', 'value', 'name'],
    fits: codesOrWords,
    isMany: true,
  },
  // Roles without a field of their own. Their columns are left out; a barcode can be the key.
  { name: 'barcode', named: [['barcode']], may: [...LEVEL, 'code', 'number', 'id'], fits: codes },
  { name: 'type', named: [['type']], may: ['product', 'category', 'name'], fits: words },
  {
    name: 'parent',
    named: [['parent']],
    may: [...LEVEL, 'id', 'sku', 'code', 'reference', 'number', 'slug', 'name'],
    fits: codes,
  },
  {
    name: 'minimum',
    named: [['minimum'], ['low'], ['maximum']],
    may: [...LEVEL, 'stock', 'quantity', 'price', 'order', 'amount'],
    fits: amounts,
  },
];

/** True if most cells have a letter: a column called `No.` may also count the rows. */
function hasLetters({ profile: { filled } }: ColumnCandidate): boolean {
  return filled.filter((cell) => /\p{L}/u.test(cell)).length > 0.5 * filled.length;
}
