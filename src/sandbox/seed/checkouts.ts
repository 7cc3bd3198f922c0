import { idOf } from '../ids.ts';
import { readText } from '../query.ts';
import { pick, roll, sequence } from '../random.ts';
import { CATALOGUE, type CatalogueProduct } from './catalogue.ts';
import { inventPerson } from './people.ts';
import type { SeededList } from './seeded-list.ts';

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

/**
 * Checkouts of all statuses; about three in five are pending. Like the API's, an item holds only checkout data: no
 * `_id`, no status.
 */
export const checkoutList: SeededList = {
  paths: ['/api/datasets/unfulfillment'],
  defaultLimit: 20,
  items: ({ seed }) => ({
    textAt: (position) => JSON.stringify(checkoutAt(seed, position)),
    filters: [
      {
        name: 'field3',
        read: readText,
        fallback: 'pending',
        admits: (status) => (position) => pick(STATUSES, roll(seed, position, STATUS)) === status,
      },
    ],
  }),
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
