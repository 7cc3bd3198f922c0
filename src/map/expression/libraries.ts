import { createRequire } from 'node:module';

/**
 * Libraries that few mappings need. They are loaded by the first that does, and at once: mappings are read and run
 * without waiting. Left out of the bundle, so that no other command reads them.
 */
const load = createRequire(import.meta.url);

export const libraries = {
  re2js: () => load('re2js') as typeof import('re2js'),
  entities: () => load('entities/decode') as typeof import('entities/decode'),
  jsonata: () => load('jsonata') as typeof import('jsonata'),
};
