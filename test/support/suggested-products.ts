import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { bind, parseMapping } from '../../src/map/index.ts';
import type { Issue, JsonObject, Row, Table } from '../../src/model/index.ts';
import { columnsOfObjects, draftMapping, type MappingDraft, writeYaml } from '../../src/suggest/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { recordOf, rowsOf, tableOf } from './map-rows.ts';

const dictionary = createDictionary(LANGUAGES);

/** Suggests a mapping of products for the text of a CSV file. */
export function productDraft(text: string) {
  const [header = [], ...cells] = parse(text) as string[][];
  const columns = header.map((name, index) => ({ name, cells: cells.map((row) => row[index] ?? '') }));
  return { header, cells, ...draftMapping('products', { columns }, dictionary) };
}

export interface SuggestedProduct extends JsonObject {
  readonly price?: { readonly salePrice?: number; readonly comparePrice?: number };
  readonly quantity?: { readonly instock?: number };
  readonly options?: { readonly name: string; readonly values: { readonly value1: string }[] }[];
  readonly variants?: SuggestedProduct[];
}

/** The payloads that the suggested mapping makes of a CSV file. */
export function suggestedProducts(text: string): SuggestedProduct[] {
  const { draft, records, header, cells } = productDraft(text);
  const table = tableOf(...header);
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.csv')), table, []);
  const rows = rowsOf(table, ...cells);
  return records.map((indexes) => {
    const { payload, issues } = binding.map(recordOf(indexes.flatMap((index) => rows[index] ?? [])));
    expect(issues).toEqual([]);
    return payload as SuggestedProduct;
  });
}

export interface MappedProduct {
  readonly payload: SuggestedProduct;
  readonly issues: readonly Issue[];
}

/** The mapping that is suggested for products of a CSV file; `products` makes the records of all rows by it. */
export function suggestProducts(text: string): {
  readonly draft: MappingDraft;
  readonly products: () => readonly MappedProduct[];
} {
  const [header = [], ...cells] = parse(text) as string[][];
  const columns = header.map((name, index) => ({ name, cells: cells.map((row) => row[index] ?? '') }));
  const { draft, records } = draftMapping('products', { columns, isWhole: true }, dictionary);
  const products = () => {
    const table = tableOf(...header);
    const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.csv')), table, []);
    const rows = rowsOf(table, ...cells);
    return records.map((indexes) => {
      const mapped = binding.map(recordOf(indexes.flatMap((index) => rows[index] ?? [])));
      return { payload: mapped.payload as SuggestedProduct, issues: mapped.issues };
    });
  };
  return { draft, products };
}

/** The same for the objects of a JSON file. */
export function suggestedFromObjects(objects: readonly JsonObject[]): SuggestedProduct[] {
  const { draft } = draftMapping('products', columnsOfObjects(objects), dictionary);
  const table: Table = { file: 'shop.json', header: [], items: objects };
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.json')), table, []);
  return objects.map((value, index) => {
    const row: Row = { table, row: index + 1, line: index + 1, cells: [JSON.stringify(value)], value };
    const { payload, issues } = binding.map(recordOf([row]));
    expect(issues).toEqual([]);
    return payload as SuggestedProduct;
  });
}
