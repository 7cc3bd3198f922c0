import { tmpdir } from 'node:os';
import { group, groupUnordered } from '../../src/group/index.ts';
import { bind, loadPreset, type Mapped } from '../../src/map/index.ts';
import type { JsonObject, Table } from '../../src/model/index.ts';
import { createValidator, requiredFields, type ValidateOptions } from '../../src/validate/index.ts';
import { recordOf, rowsOf, tableOf } from '../support/map-rows.ts';

const OPTIONS: ValidateOptions = { partial: false, suppliedLater: ['storeId'] };

export const presetNamed = loadPreset;

/** Maps the rows of one record through a preset, each given as column → cell. */
export function mapExport(preset: string, ...rows: Record<string, string>[]): Mapped {
  const { binding, read } = boundRows(preset, rows);
  return binding.map(recordOf(read));
}

/** Maps rows through a preset, each as a record of its own. */
export function mapEach(preset: string, rows: readonly Record<string, string>[]): Mapped[] {
  const { binding, read } = boundRows(preset, rows);
  return read.map((row) => binding.map(recordOf([row])));
}

/** `required`: fields whose columns must be there. */
function boundRows(
  preset: string,
  rows: readonly Record<string, string>[],
  required = requiredFields(presetNamed(preset).resource, OPTIONS),
) {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const table = tableOf(...header);
  const binding = bind(presetNamed(preset), table, required);
  return { binding, read: rowsOf(table, ...rows.map((row) => header.map((name) => row[name] ?? ''))) };
}

/** The payload, which must also fit the schema of the resource. */
export function payloadOf(preset: string, ...rows: Record<string, string>[]): JsonObject {
  const { payload, issues } = mapExport(preset, ...rows);
  const found = createValidator(presetNamed(preset).resource, OPTIONS)(payload, () => ({}));
  if (issues.length + found.length > 0) throw new Error(JSON.stringify([...issues, ...found]));
  return payload;
}

/** Groups rows into records as a preset says, and maps each. */
export async function gatherExport(preset: string, ...rows: Record<string, string>[]): Promise<Mapped[]> {
  const { binding, read } = boundRows(preset, rows, []);
  const found: Mapped[] = [];
  const { groupKeyOf: keyOf, isLead } = binding;
  const grouped = keyOf
    ? group(batchesOf(read), { keyOf, isLead, emptyContinues: binding.continuesAbove !== undefined })
    : groupUnordered(batchesOf(read), binding, { folder: tmpdir() });
  for await (const records of grouped) found.push(...records.map((record) => binding.map(record)));
  return found;
}

/** Groups JSON objects into records as a preset says, and maps each. */
export async function gatherObjects(preset: string, ...items: JsonObject[]): Promise<Mapped[]> {
  const table: Table = { file: 'shop.json', header: ['json'], items };
  const binding = bind(presetNamed(preset), table, []);
  const rows = items.map((value, index) => ({
    ...{ table, row: index + 1, line: index + 1, cells: [JSON.stringify(value)], value },
  }));
  const found: Mapped[] = [];
  for await (const records of groupUnordered(batchesOf(rows), binding, { folder: tmpdir() }))
    found.push(...records.map((record) => binding.map(record)));
  return found;
}

/** Maps one JSON object through a preset. */
export function mapObject(preset: string, item: JsonObject): Mapped {
  const table: Table = { file: 'shop.json', header: ['json'], items: [item] };
  const row = { table, row: 1, line: 1, cells: [JSON.stringify(item)], value: item };
  return bind(presetNamed(preset), table, []).map(recordOf([row]));
}

/** The payload of one JSON object, which must also fit the schema of the resource. */
export function objectPayloadOf(preset: string, item: JsonObject): JsonObject {
  const { payload, issues } = mapObject(preset, item);
  const found = createValidator(presetNamed(preset).resource, OPTIONS)(payload, () => ({}));
  if (issues.length + found.length > 0) throw new Error(JSON.stringify([...issues, ...found]));
  return payload;
}

async function* batchesOf<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
