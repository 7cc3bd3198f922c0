import { idOf } from '../ids.ts';
import { createdAt, pick, sequence } from '../random.ts';
import { CATALOGUE, IMAGE_HOST } from './catalogue.ts';
import type { SeededList } from './seeded-list.ts';

const SIZES = [
  [800, 600],
  [1080, 1080],
  [1920, 1080],
  [600, 900],
  [64, 64],
] as const;

/** Media images with their sizes in pixels. */
export const imageList: SeededList = {
  paths: ['/api/images', '/api/images/search'],
  defaultLimit: 10,
  items: ({ storeId, seed, count }) => ({
    textAt(position) {
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
  }),
};
