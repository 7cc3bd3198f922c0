import { createRequire } from 'node:module';

/**
 * Libraries that few mappings need, loaded on first use. Loading is synchronous, since mappings are parsed and
 * evaluated synchronously. They are not in the bundle, so that commands without them start faster.
 */
const load = createRequire(import.meta.url);

export const libraries = {
  re2js: () => load('re2js') as typeof import('re2js'),
  entities: () => load('entities/decode') as typeof import('entities/decode'),
  jsonata: () => load('jsonata') as typeof import('jsonata'),
};
