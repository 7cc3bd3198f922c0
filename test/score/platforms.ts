/** Platforms whose files have the same columns in part, by the first word of a folder, a preset or a sample: one family each. */
const FAMILIES: Readonly<Record<string, string>> = {
  magento1: 'magento',
  magento2: 'magento',
  merchant: 'merchant feeds',
  facebook: 'merchant feeds',
  thirtybees: 'prestashop',
};

/** Files that are not in the folder of the platform whose columns they have. */
const FILES: Readonly<Record<string, string>> = {
  'wix/mathilda-facebook_catalog.csv': 'merchant feeds',
  'shopify/baby-heaven-sanity_products.ndjson': 'sanity',
};

/** Folders of files that have nothing in common: each file is a platform of its own. */
const MIXED: ReadonlySet<string> = new Set(['generic', 'marketplace-scrape']);

/** The platform of a preset or a sample, by its name. */
export function platformOfName(name: string): string {
  const [word = name] = name.split(/[-.]/);
  return FAMILIES[word] ?? word;
}

/** The platform of a public file: its folder. */
export function platformOfFile(file: string): string {
  const [folder = ''] = file.split('/');
  return FILES[file] ?? (MIXED.has(folder) ? file : platformOfName(folder));
}
