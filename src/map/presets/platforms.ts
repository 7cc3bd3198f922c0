import { ownValue } from '../../model/index.ts';
import { type PresetHead, presetIndex } from './preset-index.ts';

/** Names of platforms by the first word of their presets. */
const PLATFORMS: Readonly<Record<string, string>> = {
  bagisto: 'Bagisto',
  bigcommerce: 'BigCommerce',
  commercetools: 'commercetools (Composable Commerce)',
  etsy: 'Etsy',
  loyverse: 'Loyverse',
  magento2: 'Magento 2',
  medusa: 'Medusa',
  merchant: 'Google Merchant Center and Meta',
  odoo: 'Odoo',
  orocommerce: 'OroCommerce',
  prestashop: 'PrestaShop and thirty bees',
  rakuten: 'Rakuten',
  shopify: 'Shopify',
  shopware6: 'Shopware 6',
  spree: 'Spree',
  squarespace: 'Squarespace',
  sylius: 'Sylius',
  thelia: 'Thelia',
  tiendanube: 'Tiendanube and Nuvemshop',
  vendure: 'Vendure',
  wix: 'Wix',
  woocommerce: 'WooCommerce',
};

/** The platform of a preset; its first word if the table lacks it. */
export function platformOf(preset: string): string {
  const word = preset.split('-', 1)[0] ?? preset;
  return ownValue(PLATFORMS, word) ?? word;
}

/** Presets by platform, both in alphabetical order. */
export function presetsByPlatform(): ReadonlyMap<string, readonly PresetHead[]> {
  const groups = new Map<string, PresetHead[]>();
  for (const preset of presetIndex()) {
    const platform = platformOf(preset.name);
    groups.set(platform, [...(groups.get(platform) ?? []), preset]);
  }
  return new Map([...groups].sort(([a], [b]) => a.localeCompare(b, 'en')));
}
