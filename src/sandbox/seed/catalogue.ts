import { idOf } from '../storage/ids.ts';

/** Names of the products in seeded reviews and checkouts. The sandbox has no such products until they are created. */
const NAMES = [
  'Linen apron, "Marché"',
  'Enamel mug 350 ml',
  'حقيبة جلدية يدوية الصنع',
  'Théière en fonte 0,8 l',
  'Wool socks; grey, 2 pairs',
  'Olive-wood board – large',
  'Keramikvase "Blau/Weiß"',
  'Jabón artesano de lavanda',
  'Folding bicycle 20″',
  'Beeswax candle (set of 3)',
  'Sac à dos étanche 25L',
  'Desk lamp E27 <60 W>',
  'Argan oil 100 ml & dropper',
  'Tapis berbère 120×180',
  '抹茶セット',
  'Notebook A5 / dotted',
];

export interface CatalogueProduct {
  readonly _id: string;
  readonly name: string;
  readonly salePrice: number;
}

export const CATALOGUE: readonly CatalogueProduct[] = NAMES.map((name, position) => ({
  _id: idOf('catalogue', position),
  name,
  // Prices end in .90, .95 and .00, as in shops; counted in cents, so that no sum of floats creeps in.
  salePrice: ([490, 1295, 2400][position % 3] as number) / 100 + position * 7,
}));

/** Host of the addresses of images. It does not exist: example.com is reserved (RFC 2606). */
export const IMAGE_HOST = 'https://img.example.com';
