import { parse } from 'csv-parse/sync';
import { bind, parseMapping } from '../../src/map/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { draftMapping, type MappingDraft, writeYaml } from '../../src/suggest/index.ts';
import { recordOf, rowsOf, tableOf } from './map-rows.ts';

/** The draft for a CSV text, and each of its records as the mapping makes it. */
export interface Suggested {
  readonly draft: MappingDraft;
  readonly payloads: readonly JsonObject[];
  /** Codes of the issues of each record. */
  readonly issues: readonly (readonly string[])[];
  /** Columns that are left out, with the harm that records may do without them. */
  readonly risks: Readonly<Record<string, string>>;
}

/** Suggests a mapping for a CSV text, and maps its records. */
export function suggested(resource: string, text: string): Suggested {
  const [header = [], ...cells] = parse(text, { relax_column_count: true }) as string[][];
  const columns = header.map((name, at) => ({ name, cells: cells.map((row) => row[at] ?? '') }));
  const { draft, records } = draftMapping(resource, { columns });
  const table = tableOf(...header);
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.csv')), table, []);
  const rows = rowsOf(table, ...cells);
  const mapped = records.map((indexes) =>
    binding.map(recordOf(indexes.flatMap((index) => rows[index] ?? []))),
  );
  return {
    draft,
    payloads: mapped.map(({ payload }) => payload),
    issues: mapped.map(({ issues }) => issues.map(({ code }) => code)),
    risks: Object.fromEntries(
      draft.leftOut.flatMap(({ column, risk }) => (risk === undefined ? [] : [[column, risk]])),
    ),
  };
}
