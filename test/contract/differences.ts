import type { Json, JsonObject } from '../../src/model/index.ts';
import { webAddress } from '../../src/resources/common.ts';
import type { Resource } from '../../src/resources/index.ts';

/** Intended differences between the two descriptions. */
interface Difference {
  readonly why: string;
  readonly concerns: (resource: Resource, partial: boolean) => boolean;
  /** The payload without the different part, so that the rest is compared. */
  readonly without: (payload: JsonObject) => JsonObject;
  /** Accepted by the OpenAPI document, refused by the description. */
  readonly examples: readonly {
    readonly resource: string;
    readonly partial: boolean;
    readonly payload: JsonObject;
  }[];
}

const product = { name: 'Lamp', reference: 'L1' };
const discount = { storeId: 's1', code: 'SPRING', type: 'percentage' };

export const DIFFERENCES: readonly Difference[] = [
  {
    why: 'An image without a web address is one that no store can fetch; it is better known before it is sent.',
    concerns: ({ name }) => name === 'products',
    without: (payload) => ({
      ...payload,
      ...(Array.isArray(payload.images) && { images: payload.images.map(withAddress) }),
    }),
    examples: ['', 'lamp.jpg', 'ftp://example.com/lamp.jpg'].flatMap((src) => [
      { resource: 'products', partial: false, payload: { ...product, images: [{ src }] } },
      { resource: 'products', partial: true, payload: { images: [{ title: 'Front' }, { src }] } },
    ]),
  },
  {
    why: 'ISO 8601 writes T and Z in capitals; only RFC 3339 takes small letters too, and a store need not.',
    concerns: ({ name }) => name === 'discounts',
    without: (payload) => ({
      ...payload,
      ...(typeof payload.startDate === 'string' && { startDate: inCapitals(payload.startDate) }),
      ...(typeof payload.endDate === 'string' && { endDate: inCapitals(payload.endDate) }),
    }),
    examples: ['2026-01-31t09:30:00Z', '2026-01-31T09:30:00z'].map((startDate) => ({
      resource: 'discounts',
      partial: false,
      payload: { ...discount, startDate },
    })),
  },
];

function withAddress(image: Json): Json {
  const isText = typeof image === 'object' && !Array.isArray(image) && typeof image?.src === 'string';
  if (!isText || webAddress.safeParse(image.src).success) return image;
  return { ...image, src: 'https://example.com/a.png' };
}

function inCapitals(text: string): string {
  return /^[\dtz:.+-]+$/i.test(text) ? text.toUpperCase() : text;
}
