import { payloadOf as payloadIn } from './read-export.ts';

/** The payload of a Magento 2 product from its rows. */
export const payloadOf = (...rows: Record<string, string>[]) => payloadIn('magento2-products', ...rows);

export const PLAIN = {
  sku: 'POT',
  store_view_code: '',
  product_type: 'simple',
  name: 'Tea pot',
  product_online: '1',
};

/**
 * A configurable product as Magento exports it: the variations name the attributes, and the labels name their
 * titles.
 */
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
