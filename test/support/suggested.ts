import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { bind, parseMapping } from '../../src/map/index.ts';
import type { Issue, JsonObject, Row, Table } from '../../src/model/index.ts';
import { columnsOfObjects, draftMapping, type MappingDraft, writeYaml } from '../../src/suggest/index.ts';
import { recordOf, rowsOf, tableOf } from './map-rows.ts';

/** The draft for a CSV text, and each of its records as the mapping makes it. */
export interface Suggested {
  readonly draft: MappingDraft;
  readonly payloads: readonly JsonObject[];
  /** Those of each record. */
  readonly issues: readonly (readonly Issue[])[];
  /** Columns that are left out, with the harm that records may do without them. */
  readonly risks: Readonly<Record<string, string>>;
}

/** Suggests a mapping for a CSV text. */
export function suggestedDraft(resource: string, text: string): MappingDraft {
  return suggestionFor(resource, text).draft;
}

/** Suggests a mapping for a CSV text, and maps its records. */
export function suggested(resource: string, text: string): Suggested {
  const { draft, records, header, cells } = suggestionFor(resource, text);
  const table = tableOf(...header);
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.csv')), table, []);
  const rows = rowsOf(table, ...cells);
  const mapped = records.map((indexes) =>
    binding.map(recordOf(indexes.flatMap((index) => rows[index] ?? []))),
  );
  return {
    draft,
    payloads: mapped.map(({ payload }) => payload),
    issues: mapped.map(({ issues }) => issues),
    risks: Object.fromEntries(
      draft.leftOut.flatMap(({ column, risk }) => (risk === undefined ? [] : [[column, risk]])),
    ),
  };
}

function suggestionFor(resource: string, text: string) {
  const [header = [], ...cells] = parse(text, { relax_column_count: true }) as string[][];
  const columns = header.map((name, at) => ({ name, cells: cells.map((row) => row[at] ?? '') }));
  return { header, cells, ...draftMapping(resource, { columns, isWhole: true }) };
}

export interface SuggestedProduct extends JsonObject {
  readonly price?: { readonly salePrice?: number; readonly comparePrice?: number };
  readonly quantity?: { readonly instock?: number };
  readonly options?: { readonly name: string; readonly values: { readonly value1: string }[] }[];
  readonly variants?: SuggestedProduct[];
}

/** The products of a CSV text. Fails if one has an issue. */
export function suggestedProducts(text: string): SuggestedProduct[] {
  const { payloads, issues } = suggested('products', text);
  expect(issues.flat()).toEqual([]);
  return payloads as SuggestedProduct[];
}

/** The same for the objects of a JSON file. */
export function suggestedFromObjects(objects: readonly JsonObject[]): SuggestedProduct[] {
  const { draft } = draftMapping('products', columnsOfObjects(objects));
  const table: Table = { file: 'shop.json', header: [], items: objects };
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.json')), table, []);
  return objects.map((value, index) => {
    const row: Row = { table, row: index + 1, line: index + 1, cells: [JSON.stringify(value)], value };
    const { payload, issues } = binding.map(recordOf([row]));
    expect(issues).toEqual([]);
    return payload as SuggestedProduct;
  });
}
