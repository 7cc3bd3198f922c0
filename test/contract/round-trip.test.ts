import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bind } from '../../src/map/index.ts';
import { nativeMapping } from '../../src/map/presets/native.ts';
import { cellText, type Json, type JsonObject } from '../../src/model/index.ts';
import {
  type FieldType,
  fieldType,
  importable,
  nativeColumns,
  type Resource,
} from '../../src/resources/index.ts';
import { openTable, pathColumn } from '../../src/write/index.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { readText } from '../support/read-text.ts';
import { fromResource } from './from-zod.ts';

/** Items as the text of an export. */
async function exported(columns: readonly string[], items: readonly JsonObject[]): Promise<string> {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const table = await openTable(stream, { format: 'csv', columns: columns.map(pathColumn) });
  await table.write(items);
  await table.commit();
  return text;
}

/** The payloads of an import of such a text. */
async function imported(text: string, resource: Resource) {
  const { source, rows, warnings } = await readText(text);
  const { map } = bind(nativeMapping(source.table, resource), source.table, []);
  const mapped = rows.map((row, seq) => map({ seq, rows: [row] }));
  return { mapped, warnings: [...warnings, ...mapped.flatMap(({ issues }) => issues)] };
}

/**
 * Limits of cells, as in docs/export.md. An object without known filled fields has no column. A text without
 * letters is an empty cell and absent. A key is trimmed. JSON has no such limits.
 */
function sayable(value: Json, type: FieldType, path: string, keys: readonly string[]): Json | undefined {
  if (type.kind === 'text') {
    // A dial code may be a number too; a cell does not show which.
    const text = cellText(value);
    return text.trim() === '' ? undefined : keys.includes(path) ? text.trim() : text;
  }
  if (type.kind !== 'object' || type.fields.size === 0) return value;
  const fields = Object.entries(value as JsonObject).flatMap(([name, each]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const said = sayable(each, type.fields.get(name) as FieldType, at, keys);
    return said === undefined ? [] : [[name, said] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** The item in the store: JSON has no -0, and no import accepts a field `__proto__`. */
function asStored(payload: JsonObject): JsonObject | undefined {
  const text = JSON.stringify(payload);
  return text.includes('"__proto__"') ? undefined : (JSON.parse(text) as JsonObject);
}

test.each(importable)('any $name are unchanged after an export and an import', async (resource) => {
  const { key: keys = [], schema, list } = resource;
  const id = list?.id;
  // Records in the store are complete: null is how an update clears a field.
  const stored = fromResource({ ...resource, updateSchema: schema }, true)
    .map(asStored)
    .filter((payload) => payload !== undefined);
  await fc.assert(
    fc.asyncProperty(fc.array(stored, { minLength: 1, maxLength: 3 }), async (payloads) => {
      const items = payloads.map((payload, n) =>
        id === undefined ? payload : { [id]: `id${n}`, ...payload },
      );
      const text = await exported(nativeColumns(resource), items);
      const { mapped, warnings } = await imported(text, resource);
      expect(warnings).toEqual([]);
      expect(mapped.map(({ payload }) => payload)).toEqual(
        payloads.map((payload) => sayable(payload, fieldType(schema), '', keys) ?? {}),
      );
      if (id !== undefined) expect(mapped.map((each) => each.id)).toEqual(items.map((item) => item[id]));
    }),
    { numRuns: scaledRuns(200) },
  );
});
