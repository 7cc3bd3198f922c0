import { payloadOf as payloadIn } from './read-export.ts';

/** The payload of a Magento 2 product, of its rows. */
export const payloadOf = (...rows: Record<string, string>[]) => payloadIn('magento2-products', ...rows);

export const PLAIN = {
  sku: 'POT',
  store_view_code: '',
  product_type: 'simple',
  name: 'Tea pot',
  product_online: '1',
};

/** A configurable product, as the shop writes it: the variations name their attributes, the labels name these. */
export const TEE = {
  ...PLAIN,
  sku: 'TEE',
  product_type: 'configurable',
  name: 'T-shirt',
  configurable_variations:
    'sku=TEE-S,size=S,color=Black, matt|sku=TEE-M,size=5,5,color=Red|sku=TEE-X,size=X,color=Red',
  configurable_variation_labels: 'color=Colour, outside,size=Size',
};
/** A variant of the configurable product. */
export const variant = (sku: string, more: Record<string, string> = {}) => ({
  ...PLAIN,
  sku,
  name: sku,
  price: '19',
  ...more,
});
