import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { presetNames, STEPS } from '../../../src/map/index.ts';
import { presetText } from '../../../src/map/presets/load.ts';
import { mappingSchema } from '../../../src/map/syntax/json-schema.ts';
import { importable } from '../../../src/resources/index.ts';

const isValid = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(
  mappingSchema(),
);

/** All mappings in the guide. */
function shownMappings(): string[] {
  const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));
  const pages = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => readFileSync(`${folder}${file}`, 'utf8'));
  return pages.flatMap((page) =>
    [...page.matchAll(/^```yaml (mapping|export-mapping|fields)\b.*\n([\s\S]*?)^```$/gm)].map(
      ([, kind, text = '']) =>
        kind === 'fields' ? `resource: products\nfields:\n${text.replace(/^/gm, '  ')}` : text,
    ),
  );
}

function complaints(mapping: unknown): string[] {
  return isValid(mapping)
    ? []
    : (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const product = (fields: object, more: object = {}) => ({ resource: 'products', ...more, fields });

describe('the schema of mappings', () => {
  test.each(presetNames())('accepts the preset %s', (name) => {
    expect(complaints(parse(presetText(name)))).toEqual([]);
  });

  test.each(shownMappings())('accepts the mapping in the guide: %s', (text) => {
    expect(complaints(parse(text))).toEqual([]);
  });

  test('is checked against mappings of each kind in the guide', () => {
    const shown = shownMappings().map((text) => parse(text) as object);
    expect(shown.length).toBeGreaterThan(15);
    expect(shown.some((mapping) => 'export' in mapping)).toBe(true);
  });

  test('refuses checks without a rule, and unknown keys of them', () => {
    const withChecks = (checks: unknown) => complaints(product({ name: 'T' }, { checks }));
    expect(withChecks([{ that: 'true', each: 'variants', warn: 'x' }])).toEqual([]);
    for (const wrong of [[], {}, [{ message: 'x' }], [{ that: 5 }], [{ that: 'true', mesage: 'x' }]])
      expect(withChecks(wrong), JSON.stringify(wrong)).not.toEqual([]);
  });

  test.each(STEPS.map((step) => [step.name, step] as const))(
    'accepts the examples of %s',
    (name, { examples }) => {
      for (const { args } of examples) {
        const { words, else: otherwise } = args as { words?: unknown; else?: unknown };
        const value = name === 'map' ? { map: words, else: otherwise } : { [name]: args };
        const given = Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
        expect(complaints(product({ 'sizes.any': { from: 'T', ...given } })), JSON.stringify(given)).toEqual(
          [],
        );
      }
    },
  );

  test('accepts fields below an object that have the names of keys', () => {
    const fields = { code: 'C', type: 'T', limits: { all: 'N' } };
    expect(complaints({ resource: 'discounts', fields })).toEqual([]);
    expect(complaints(product({ brand: { name: 'T', 'links.site': ['A', { from: 'B' }] } }))).toEqual([]);
  });

  test.each([
    ['a key of the mapping', product({ name: 'T' }, { groups: { by: 'T' } })],
    ['a key of an export', { resource: 'reviews', export: { A: 'rating' }, columns: {} }],
    ['a field', product({ nme: 'T' })],
    ['a field inside another', product({ 'price.salesPrice': 'T' })],
    ['a field written below another', product({ price: { salesPrice: 'T' } })],
    ['a field that may be a step', product({ brand: { url: 'T' } })],
    ['a field of another resource', { resource: 'suppliers', fields: { reference: 'T' } }],
    ['a step', product({ name: { from: 'T', replcae: { match: 'a' } } })],
    ['a key of a step', product({ name: { from: 'T', replace: { match: 'a', by: 'b' } } })],
    ['a word of a step', product({ name: { from: 'T', case: 'uper' } })],
    ['a field in a list', product({ images: { each: 'row', fields: { scr: 'T' } } })],
    ['a key of a list', product({ images: { each: 'row', uniqe: 'src', fields: { src: 'T' } } })],
    [
      'a step of the order of a list',
      product({ images: { each: 'row', sort: { from: 'P', nmber: true }, fields: { src: 'T' } } }),
    ],
    ['a test of a condition', product({ name: { from: 'T', when: { A: { si: 'x' } } } })],
    ['a way across rows', product({ name: { from: 'T', across: 'frist' } })],
    [
      'a step of the parts of a cell',
      product({ images: { each: { p: { from: 'T', splt: ',' } }, fields: { src: 'T' } } }),
    ],
    ['the name of a resource', { resource: 'product', fields: { name: 'T' } }],
    [
      'a key that exports do not have',
      { resource: 'reviews', export: { A: { from: 'rating', across: 'sum' } } },
    ],
  ])('refuses a misspelling in %s', (_what, mapping) => {
    expect(complaints(mapping)).not.toEqual([]);
  });

  test.each(importable)(
    'has the fields of $name, including lists and places in lists',
    ({ name, columns }) => {
      for (const column of columns)
        expect(complaints({ resource: name, fields: { [column]: 'T' } }), column).toEqual([]);
      expect(complaints(product({ 'images.0.src': 'T', 'sizes.weight.unit': 'T' }))).toEqual([]);
    },
  );

  test('documents each step', () => {
    const { value } = (mappingSchema() as { $defs: Record<string, { properties: Record<string, object> }> })
      .$defs;
    for (const { name, doc } of STEPS) expect(value?.properties[name]).toMatchObject({ description: doc });
  });
});
