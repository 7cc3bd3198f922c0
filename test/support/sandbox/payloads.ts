import { DEMO_CREDENTIALS } from '../../../src/sandbox/index.ts';

/** Typed from the API document: each resource with every field, and with the required fields only. */
const { storeId } = DEMO_CREDENTIALS;

const currencies = [{ currency: 'EUR', properties: [{ name: 'salePrice', value: 12.5 }] }];
const place = { _id: '65f0c0ffee0000000000000a', name: 'Oran' };

export const PRODUCT = {
  name: 'Théière en fonte 0,8 l',
  reference: 'TEA-08',
  description: 'Cast iron',
  model: 'T8',
  html: '<p>Cast iron</p>',
  source: 'import',
  bookingProps: {
    firstAddresses: [
      {
        city: place,
        province: place,
        country: { ...place, code: 'DZ', dialCode: '+213' },
        location: { lat: 35.7, lng: -0.6 },
      },
    ],
    pickCountries: ['a'],
    pickProvinces: ['b'],
    pickCites: ['c'],
    guest: { hasGuest: true, min: 1, max: 4 },
    extraInfo: [{ _id: 'x', name: 'Seats', icon: 'chair', Number: '4' }],
    priceBy: 'NIGHT',
  },
  digitalConfig: {
    viaEmail: true,
    downloadable: false,
    emailSettings: { autoSend: true, subject: 'Here', body: 'It is', sendbyStatus: ['CONFIRMED'] },
    downloadSetting: { fileId: 'f1', name: 'book.pdf' },
  },
  productType: 'PHYSICAL',
  type: 'variable',
  tags: ['tea', 'iron'],
  seo: { title: 'Tea', description: 'Pot', hide: false, googleCategory: 'Kitchen', keywords: ['tea'] },
  status: 'PUBLISH',
  collections: [{ _id: 'c1' }, 'c2'],
  price: { buyingPrice: 10, salePrice: 24.9, comparePrice: 30 },
  quantity: { instock: 5, unit: 'pc', increment: 1 },
  outStock: { hide: true, disabled: false },
  sizes: { weight: { value: 2, unit: 'kg' } },
  supplier: { _id: 's1' },
  brand: { name: 'Fonte' },
  shipping: { active: true, zones: [] },
  images: [{ src: 'https://img.example.com/1.jpg', title: 'Front' }],
  files: ['f1'],
  options: [{ name: 'Colour', style: 'COLOR', values: [{ value1: 'Red' }, { value1: 'Black' }] }],
  variants: [{ name: 'Red', quantity: { instock: 1 } }],
  translates: [{ language: 'fr', properties: [{ name: 'name', value: 'Théière' }] }],
  currencies,
};

export const DISCOUNT = {
  storeId,
  code: 'SPRING',
  type: 'percentage',
  percentage: 10,
  value: 5,
  startDate: '2026-03-01T00:00:00Z',
  endDate: '2026-03-31T23:59:59.999+01:00',
  products: [{ _id: 'p1', by_quantity: true, quantity: 2 }],
  customers: ['c1'],
  requirements: { price: 50, quantity: 2 },
  countries: ['dz'],
  province: ['31'],
  cities: ['oran'],
  target: 'SELECTED',
  active: true,
  limits: { per_customer: 1, all: 100 },
  currencies,
};

export const CUSTOMER = {
  storeId,
  firstname: 'Yasmine',
  lastname: 'Benali',
  email: 'y@example.com',
  phone: '0555000001',
  password: 'correct horse',
  isSubscriber: true,
  note: 'Rings twice',
  status: 'ACTIVE',
  type: 'particular',
  address: {
    firstname: 'Yasmine',
    lastname: 'Benali',
    company: 'Benali & Co',
    address1: '1 rue des Tilleuls',
    address2: 'B',
    zip: '31000',
    phone: '0555000001',
    city: { name: 'Oran' },
    province: { name: 'Oran' },
    country: { name: 'Algeria', code: 'DZ', dialCode: 213 },
    default: true,
  },
};

export const ORDER = {
  customer: { _id: 'c1', firstname: 'Yasmine', lastname: 'Benali', email: 'y@example.com' },
  details: [
    {
      product: { _id: 'p1', name: 'Pot', price: { buyingPrice: 10, salePrice: 24.9, comparePrice: 30 } },
      variant: { _id: 'v1', name: 'Red' },
      quantity: 2,
      price: 24.9,
    },
  ],
  shipping: {
    isFixed: true,
    zone: place,
    shipper: place,
    price: 4.9,
    address: {
      firstname: 'Yasmine',
      lastname: 'Benali',
      address1: '1 rue des Tilleuls',
      city: place,
      country: place,
    },
  },
  discount: { _id: 'd1', price: 5 },
  attachments: ['a1', { src: 'x' }],
  bookingInfo: { from: '2026-05-01' },
  status: 'PENDING',
  payment: { paid: false },
  method: { _id: 'm1', name: 'Cash on delivery' },
  customerNote: 'Please ring',
};

export const SUPPLIER = {
  storeId,
  name: 'Fonte SA',
  company: 'Fonte',
  address1: '2 quai Nord',
  address2: 'Hangar 4',
  city: { name: 'Lyon' },
  province: { name: 'Rhône' },
  country: { name: 'France' },
  phone: '+33 6 39 98 00 01',
  connectable: true,
  route: 'fonte',
};

export interface ResourceCase {
  readonly collection: 'products' | 'discounts' | 'customers' | 'orders' | 'suppliers';
  /** Heading of the API document. */
  readonly section: string;
  readonly path: string;
  readonly whole: Record<string, unknown>;
  readonly required: readonly string[];
  readonly answer: string;
}

export const RESOURCES: readonly ResourceCase[] = [
  {
    collection: 'products',
    section: 'Product',
    path: '/api/products/create',
    whole: PRODUCT,
    required: ['name', 'reference'],
    answer: 'ProductAnswer',
  },
  {
    collection: 'discounts',
    section: 'Discount',
    path: '/api/discount/create',
    whole: DISCOUNT,
    required: ['storeId', 'code', 'type'],
    answer: 'DiscountAnswer',
  },
  {
    collection: 'customers',
    section: 'Customer',
    path: '/api/customers/create',
    whole: CUSTOMER,
    required: ['storeId', 'firstname', 'lastname'],
    answer: 'CustomerAnswer',
  },
  {
    collection: 'orders',
    section: 'Order',
    path: '/api/orders/create',
    whole: ORDER,
    required: ['customer', 'details'],
    answer: 'OrderAnswer',
  },
  {
    collection: 'suppliers',
    section: 'Supplier',
    path: '/api/suppliers/create',
    whole: SUPPLIER,
    required: ['storeId', 'name', 'address1'],
    answer: 'SupplierAnswer',
  },
];

/** A copy of `whole` with one dotted path set; undefined removes it. */
export function having(whole: object, path: string, value: unknown): Record<string, unknown> {
  // Copied through JSON, which also separates objects that the payload uses twice.
  const copy = JSON.parse(JSON.stringify(whole)) as Record<string, unknown>;
  const parts = path.split('.');
  const last = parts.pop() as string;
  let target = copy;
  for (const part of parts) target = target[part] as Record<string, unknown>;
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

export function only(whole: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, whole[field]]));
}
