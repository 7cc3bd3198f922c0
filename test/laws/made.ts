import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMapping } from '../../src/map/index.ts';
import { ConfigError } from '../../src/model/index.ts';
import { checkSample } from '../../src/pipeline/suggest/check-sample.ts';
import { readingBy, runSuggest } from '../../src/pipeline/suggest/index.ts';
import { takeSample } from '../../src/pipeline/suggest/sample.ts';
import { RESOURCES } from '../../src/resources/index.ts';
import type { Bearing } from './laws.ts';
import { fileOf, type Table } from './tables.ts';

/** The records that a suggestion makes of a table. */
export interface Made {
  /** Payloads of valid records by the rows of the original that they were made of; undefined for an invalid record. */
  readonly records: ReadonlyMap<string, string | undefined>;
  /** Valid records with a row that the original does not have. */
  readonly strangers: readonly string[];
  readonly bearing: Bearing;
}

/** Fields whose items have the order of their columns. */
const LISTS: ReadonlySet<string> = new Set(['options', 'variants', 'images', 'tags', 'collections']);

/** The first record of the original that is another one now, or one that is too many; undefined if there is none. */
export function harmIn(before: Made, after: Made, touched: ReadonlySet<number>): string | undefined {
  for (const [rows, payload] of before.records) {
    if (rows.split(',').some((row) => touched.has(Number(row)))) continue;
    if (!after.records.has(rows)) return `rows ${rows} are no record of their own any more`;
    const now = after.records.get(rows);
    const changed = now === payload ? '' : difference(payload, now);
    if (changed !== '') return `rows ${rows}: ${changed}`;
  }
  const [stranger] = after.strangers;
  return stranger === undefined ? undefined : `a record too many: ${stranger}`;
}

/** Names the fields that differ; none if they are only in another order. */
function difference(before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined) return before === undefined ? 'valid now' : 'invalid now';
  const [a, b] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[];
  const fields = Object.keys({ ...a, ...b }).filter(
    (field) => JSON.stringify(a?.[field]) !== JSON.stringify(b?.[field]),
  );
  return fields
    .map(
      (field) =>
        `${field} ${JSON.stringify(a?.[field])?.slice(0, 60)} → ${JSON.stringify(b?.[field])?.slice(0, 60)}`,
    )
    .join('; ');
}

/** The columns of a family such as `Image {n}`. */
function membersOf(column: string, header: readonly string[]): string[] {
  const [before = '', after] = column.split('{n}');
  return after === undefined
    ? [column]
    : header.filter((name) => name.startsWith(before) && name.endsWith(after));
}

/** Suggests a mapping for a table, and maps its rows with it. A text says why nothing can be suggested. `work`: a folder for its files. */
export async function makeOf(
  table: Table,
  { resource: resourceName, work }: { readonly resource: string; readonly work: string },
): Promise<Made | string> {
  const resource = RESOURCES.find(({ name }) => name === resourceName);
  if (!resource) return `there is no resource ${resourceName}`;
  const { name: fileName, text: content } = fileOf(table);
  const file = join(work, fileName);
  const read = table.values === undefined ? { delimiter: ',' } : {};
  writeFileSync(file, content);
  try {
    const { text, draft } = await runSuggest({ file, resources: [resource], read });
    const { source } = parseMapping('suggested', text);
    const sample = await takeSample(file, await readingBy(file, read, source));
    const { records } = await checkSample(sample, {
      files: [file],
      read: {},
      resource,
      mode: 'create',
      mapping: join(work, 'mapping.yaml'),
      mappingText: text,
      constants: {},
    });
    const numbers = sample.rows.map(({ row }) => row);
    const made = new Map<string, string | undefined>();
    const strangers: string[] = [];
    for (const { record, payload, issues } of records) {
      const origins = record.rows.map(({ row }) => table.origins[numbers.indexOf(row)] ?? -1);
      const valid = issues.length === 0 ? JSON.stringify(payload) : undefined;
      if (origins.includes(-1) && valid !== undefined) strangers.push(valid.slice(0, 120));
      made.set(
        origins
          .filter((row) => row >= 0)
          .sort((a, b) => a - b)
          .join(','),
        valid,
      );
    }
    const columnOf = (field: string) => draft.fields.find((each) => each.field === field)?.columns.at(-1);
    return {
      records: made,
      strangers,
      bearing: {
        name: columnOf('name') ?? columnOf('customer.lastname'),
        key: columnOf('reference') ?? draft.key,
        price: columnOf('price.salePrice') ?? columnOf('details'),
        weight: columnOf('sizes.weight.value'),
        named: new Set(
          draft.fields.filter(({ field }) => field === 'options').flatMap(({ columns }) => columns),
        ),
        isGrouped: draft.group !== undefined,
        ordered: new Set(
          draft.fields
            .filter(({ field }) => LISTS.has(field))
            .flatMap(({ columns }) => columns.flatMap((column) => membersOf(column, table.header))),
        ),
      },
    };
  } catch (error) {
    if (error instanceof ConfigError) return [error.message, ...error.hints].join(' ');
    throw error;
  }
}
