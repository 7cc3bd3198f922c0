import { pick, roll, sequence } from '../random.ts';
import { idOf } from '../storage/ids.ts';
import { CATALOGUE, type CatalogueProduct } from './catalogue.ts';
import { inventPerson } from './people.ts';
import { NUMBER_SCHEMA, objectOf, partialObjectOf, type SeededList, TEXT_SCHEMA } from './seeded-list.ts';

/** The API document names only `pending`; the other two are ours. */
const STATUSES = ['pending', 'pending', 'pending', 'abandoned', 'recovered'] as const;

/** Salts of the facts that depend on the position alone. */
const STATUS = 1;
const METHOD = 2;

const METHODS = ['Cash on delivery', 'Bank card', 'Bank transfer'];
const SHIPPERS = ['Courier "Rapide"', 'Post, registered', 'Point relais'];
const ZONES = ['North', 'South & islands', 'المنطقة الوسطى'];
const NOTES = [
  '',
  '',
  'Please ring twice, the dog barks "loudly"',
  'Laisser chez le voisin,\n2e étage; merci 🙏',
  '=cmd|"/C calc"!A0',
  'اتصل قبل التوصيل',
  '-no plastic, please',
];

const OBJECT_OR_NULL = { type: ['object', 'null'] };
const ADDRESS = { $ref: '#/components/schemas/CheckoutAddress' };
const ID_AND_NAME = { $ref: '#/components/schemas/IdAndName' };

/**
 * Checkouts of all statuses; about three in five are pending. Like the API's, an item holds only checkout data: no
 * `_id`, no status.
 */
export const checkoutList: SeededList = {
  endpoints: [
    {
      path: '/api/datasets/unfulfillment',
      operationId: 'listCheckouts',
      summary: 'List unfulfilled checkouts',
      description: 'API document, GET /api/datasets/unfulfillment.',
    },
  ],
  defaultLimit: 20,
  filters: [
    {
      name: 'field3',
      type: 'text',
      fallback: 'pending',
      description: 'Status of the checkout; when omitted, only pending checkouts are returned.',
      admits:
        ({ seed }, status) =>
        (position) =>
          pick(STATUSES, roll(seed, position, STATUS)) === status,
    },
  ],
  item: 'Checkout',
  schemas: {
    Checkout: objectOf(
      {
        customer: partialObjectOf({
          firstname: TEXT_SCHEMA,
          lastname: TEXT_SCHEMA,
          fullname: TEXT_SCHEMA,
          email: TEXT_SCHEMA,
          phone: TEXT_SCHEMA,
          ipAddress: TEXT_SCHEMA,
          address: ADDRESS,
        }),
        shipping: partialObjectOf({
          zone: OBJECT_OR_NULL,
          shipper: OBJECT_OR_NULL,
          price: NUMBER_SCHEMA,
          address: ADDRESS,
        }),
        discount: OBJECT_OR_NULL,
        details: { type: 'array' },
        customerNote: TEXT_SCHEMA,
        method: OBJECT_OR_NULL,
      },
      'API document, Unfulfilled checkout. Each item holds only checkout data, and so no _id.',
    ),
    CheckoutAddress: partialObjectOf(
      {
        address1: TEXT_SCHEMA,
        address2: TEXT_SCHEMA,
        country: ID_AND_NAME,
        province: ID_AND_NAME,
        city: ID_AND_NAME,
      },
      'API document, Unfulfilled checkout, field customer.',
    ),
  },
  textAt: ({ seed }, position) => JSON.stringify(checkoutAt(seed, position)),
};

function checkoutAt(seed: number, position: number): object {
  const random = sequence(seed + Math.imul(position + 1, 0x85ebca6b));
  const { address, ...person } = inventPerson(random);
  const customer = { ...person, fullname: `${person.firstname} ${person.lastname}`, address };
  const service = (names: readonly string[], offset: number) => {
    const index = Math.floor(random() * names.length);
    return { _id: idOf('services', offset + index), name: names[index] };
  };
  // How far the customer came before leaving: an address first, then shipping, then payment.
  const reachedShipping = random() < 0.6;
  const reachedPayment = reachedShipping && roll(seed, position, METHOD) < 0.5;
  return {
    customer,
    shipping: {
      zone: reachedShipping ? service(ZONES, 0) : null,
      shipper: reachedShipping ? service(SHIPPERS, 10) : null,
      price: reachedShipping ? pick([0, 4.9, 12.5], random()) : 0,
      address,
    },
    discount: random() < 0.2 ? { _id: idOf('services', 30), price: 5 } : null,
    details: Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      line(pick(CATALOGUE, random()), random()),
    ),
    customerNote: pick(NOTES, random()),
    method: reachedPayment ? service(METHODS, 20) : null,
  };
}

function line({ _id, name, salePrice }: CatalogueProduct, share: number): object {
  return {
    product: { _id, name, price: { salePrice } },
    quantity: 1 + Math.floor(share * 4),
    price: salePrice,
  };
}
