import { createdAt, pick, sequence } from '../random.ts';
import { idOf } from '../storage/ids.ts';
import { CATALOGUE, IMAGE_HOST } from './catalogue.ts';
import { NUMBER_SCHEMA, objectOf, type SeededList, TEXT_SCHEMA, TIMESTAMP_SCHEMA } from './seeded-list.ts';

const SIZES = [
  [800, 600],
  [1080, 1080],
  [1920, 1080],
  [600, 900],
  [64, 64],
] as const;

/** Media images with their sizes in pixels. */
export const imageList: SeededList = {
  endpoints: [
    {
      path: '/api/images',
      operationId: 'listImages',
      summary: 'List media images',
      description: 'API document, GET /api/images.',
    },
    {
      path: '/api/images/search',
      operationId: 'searchImages',
      summary: 'List media images, by the path of the sample request',
      description: 'API document, Endpoints. The same list as GET /api/images.',
    },
  ],
  defaultLimit: 10,
  item: 'Image',
  schemas: {
    Image: objectOf(
      {
        _id: TEXT_SCHEMA,
        storeId: TEXT_SCHEMA,
        src: { ...TEXT_SCHEMA, description: 'URL' },
        title: TEXT_SCHEMA,
        width: NUMBER_SCHEMA,
        height: NUMBER_SCHEMA,
        createdAt: TIMESTAMP_SCHEMA,
      },
      'API document, Media image.',
    ),
  },
  textAt({ storeId, seed, count }, position) {
    const random = sequence(seed + Math.imul(position + 1, 0xc2b2ae35));
    const [width, height] = pick(SIZES, random());
    const extension = pick(['jpg', 'png', 'webp'], random());
    return JSON.stringify({
      _id: idOf('images', position),
      storeId,
      src: `${IMAGE_HOST}/media/${position}/photo%20${width}x${height}.${extension}`,
      title: random() < 0.1 ? '' : `${pick(CATALOGUE, random()).name}.${extension}`,
      width,
      height,
      createdAt: createdAt(position, count, random()),
    });
  },
};
