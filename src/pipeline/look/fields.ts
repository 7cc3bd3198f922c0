import type { JsonObject } from '../../model/index.ts';

/** A field without which a record is of little use to a shop, or does harm if it is wrong. */
export interface LookField {
  /** Dotted path in the payload. */
  readonly path: string;
  readonly kind: 'number' | 'text' | 'list';
  /** True if its texts may be in reports: never for what people are called, or how they are reached. */
  readonly isShown: boolean;
  readonly read: (payload: JsonObject) => unknown;
}

/** The parts of payloads that are looked at. */
interface Payload {
  readonly name?: unknown;
  readonly reference?: unknown;
  readonly price?: {
    readonly salePrice?: unknown;
    readonly comparePrice?: unknown;
    readonly buyingPrice?: unknown;
  } | null;
  readonly quantity?: { readonly instock?: unknown } | null;
  readonly status?: unknown;
  readonly images?: unknown;
  readonly variants?: unknown;
  readonly collections?: unknown;
  readonly email?: unknown;
  readonly phone?: unknown;
  readonly lastname?: unknown;
  readonly address?: { readonly address1?: unknown } | null;
  readonly address1?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly percentage?: unknown;
  readonly value?: unknown;
  readonly endDate?: unknown;
  readonly customer?: { readonly email?: unknown } | null;
  readonly details?: unknown;
  readonly shipping?: { readonly price?: unknown } | null;
}

type Read = (payload: Payload) => unknown;

const text = (path: string, read: Read) => lookField(path, 'text', read);
const shownText = (path: string, read: Read) => lookField(path, 'text', read, true);
const number = (path: string, read: Read) => lookField(path, 'number', read, true);
const list = (path: string, read: Read) => lookField(path, 'list', read);

/** `read`: reads the path. Written out for each field, since it runs for each record: a general one takes four times as long. */
export function lookField(path: string, kind: LookField['kind'], read: Read, isShown = false): LookField {
  return { path, kind, isShown, read: read as LookField['read'] };
}

/** The fields by resource, in the order in which they are shown. */
const FIELDS: Readonly<Record<string, readonly LookField[]>> = {
  products: [
    shownText('name', ({ name }) => name),
    text('reference', ({ reference }) => reference),
    number('price.salePrice', ({ price }) => price?.salePrice),
    number('price.comparePrice', ({ price }) => price?.comparePrice),
    number('price.buyingPrice', ({ price }) => price?.buyingPrice),
    number('quantity.instock', ({ quantity }) => quantity?.instock),
    shownText('status', ({ status }) => status),
    list('images', ({ images }) => images),
    list('variants', ({ variants }) => variants),
    list('collections', ({ collections }) => collections),
  ],
  customers: [
    text('email', ({ email }) => email),
    text('phone', ({ phone }) => phone),
    text('lastname', ({ lastname }) => lastname),
    text('address.address1', ({ address }) => address?.address1),
  ],
  suppliers: [
    shownText('name', ({ name }) => name),
    text('phone', ({ phone }) => phone),
    text('address1', ({ address1 }) => address1),
  ],
  discounts: [
    text('code', ({ code }) => code),
    shownText('type', ({ type }) => type),
    number('percentage', ({ percentage }) => percentage),
    number('value', ({ value }) => value),
    text('endDate', ({ endDate }) => endDate),
  ],
  orders: [
    text('customer.email', ({ customer }) => customer?.email),
    list('details', ({ details }) => details),
    shownText('status', ({ status }) => status),
    number('shipping.price', ({ shipping }) => shipping?.price),
  ],
};

export function lookFieldsOf(resource: string): readonly LookField[] {
  return FIELDS[resource] ?? [];
}
