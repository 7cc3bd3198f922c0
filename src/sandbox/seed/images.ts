import type { Shelf } from '../collections.ts';
import { idOf } from '../ids.ts';
import { createList, type List } from '../lists.ts';
import { createdAt, pick, sequence } from '../random.ts';
import { CATALOGUE, IMAGE_HOST } from './catalogue.ts';

const SIZES = [
  [800, 600],
  [1080, 1080],
  [1920, 1080],
  [600, 900],
  [64, 64],
] as const;

/** `count` media images with their sizes in pixels. */
export function imageList(storeId: string, seed: number, count: number): List {
  const shelf: Shelf = {
    count: () => count,
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
  };
  return createList({ name: 'images', shelf, defaultLimit: 10, endless: true });
}
