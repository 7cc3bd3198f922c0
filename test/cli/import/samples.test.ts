import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/index.ts';
import { type FieldType, fieldType, importable, resourceNamed } from '../../../src/resources/index.ts';
import { type SandboxCollection, startSandbox } from '../../../src/sandbox/index.ts';
import {
  booksOf,
  environmentOf,
  readReports,
  sample,
  storeport,
  temporaryFolder,
} from '../../support/run.ts';

interface Expected {
  readonly resource: SandboxCollection;
  readonly mapping: string;
  readonly mode?: string;
  /** Files that are joined to it. */
  readonly with?: readonly string[];
  /** Sample that is imported before, so that there are records to update. */
  readonly after?: string;
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly issues: readonly { readonly row: number; readonly code: string }[];
  readonly warnings?: readonly { readonly code: string }[];
}

const EXPECTED = JSON.parse(readFileSync(sample('expected.json'), 'utf8')) as Record<string, Expected>;

/**
 * Payloads that must arrive, in the order of the file, without additions of the settings: written by hand from
 * the sample and the API document.
 */
function expectedPayloads<T>(file: string): T[] {
  const path = new URL(`../../samples/${file.replace(/\.csv$/, '.json')}`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as T[];
}

/** A stored record without the fields that the store adds to every payload. */
function payloadOf(record: JsonObject): JsonObject {
  const { _id, slug, orderId, createdAt, updatedAt, ...payload } = record;
  return payload;
}

/** The fields of a payload that the store keeps: a customer's password is accepted, and never returned. */
function keptOf({ password, ...kept }: JsonObject): JsonObject {
  return kept;
}

/** The paths of a payload: `images[].src`, with `images[]` and `images`. */
function pathsIn(value: Json, path = ''): string[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item) => pathsIn(item, `${path}[]`))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => pathsIn(each, path ? `${path}.${name}` : name))
      : [];
  return [path, ...inner];
}

/** Every path of a schema that can have a value, in the same notation. Open objects have no paths to name. */
function placesOf(type: FieldType, path = ''): string[] {
  if (type.kind === 'list') return placesOf(type.item, `${path}[]`);
  if (type.kind !== 'object' || type.fields.size === 0) return [path];
  return [...type.fields].flatMap(([name, each]) => placesOf(each, path ? `${path}.${name}` : name));
}

test('every sample has an expected result', () => {
  const files = readdirSync(sample('')).filter((name) => name.endsWith('.csv'));
  expect(Object.keys(EXPECTED).sort()).toEqual(files.sort());
});

test.each(importable)('the samples in the native form use every field of $name', (resource) => {
  const files = Object.keys(EXPECTED).filter(
    (file) => EXPECTED[file]?.resource === resource.name && EXPECTED[file].mapping === 'native',
  );
  const used = new Set(
    files.flatMap((file) => expectedPayloads<JsonObject>(file).flatMap((each) => pathsIn(each))),
  );
  const supplied: readonly string[] = resource.fromSettings ?? [];
  const places = placesOf(fieldType(resource.schema)).filter((place) => !supplied.includes(place));
  expect(places.filter((place) => !used.has(place))).toEqual([]);
});

describe.each(Object.entries(EXPECTED))('%s', (file, expected) => {
  const { resource, mapping, mode = 'upsert', after, records, outcomes, issues } = expected;
  const joined = (expected.with ?? []).map(sample);

  test('a sample is recognised, and every record has the expected outcome', async () => {
    const cwd = temporaryFolder();
    const ended = await storeport(
      ['validate', resource, sample(file), ...joined, '--mode', mode, '--out', 'out', '--json'],
      { cwd },
    );
    const reports = readReports(join(cwd, 'out'));
    expect(ended.code).toBe(outcomes.invalid === undefined ? 0 : 1);
    expect(reports.summary).toMatchObject({ records, outcomes, mapping: { name: mapping } });
    const found = reports.results
      .filter((line) => line.code !== '')
      .map((line) => ({ row: Number(line.row), code: line.code }));
    expect(found).toEqual(issues);
    expect(booksOf(reports).balanced).toBe(true);
  });

  test('an import sends exactly the expected payloads', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    const run = (name: string, ...args: string[]) =>
      storeport(['import', resource, sample(name), '--concurrency', '1', ...args], {
        cwd,
        env: environmentOf(sandbox),
      });
    try {
      if (after !== undefined) await run(after);
      const before = sandbox.records(resource) as JsonObject[];
      await run(file, ...joined, '--mode', mode, '--out', 'out');
      const { results, summary } = readReports(join(cwd, 'out'));
      expect(summary.outcomes[after === undefined ? 'created' : 'updated']).toBe(outcomes.planned);

      const stored = sandbox.records(resource) as JsonObject[];
      const ids = stored.map(({ _id }) => _id);
      if (after === undefined) {
        const { fromSettings } = resourceNamed(resource);
        const settings = fromSettings ? { storeId: sandbox.storeId } : {};
        expect(stored.map(payloadOf)).toEqual(
          expectedPayloads<JsonObject>(file).map((payload) => keptOf({ ...settings, ...payload })),
        );
        expect(results.filter(({ outcome }) => outcome === 'created').map(({ id }) => id)).toEqual(ids);
      } else {
        const changes = new Map(
          expectedPayloads<{ _id: string; change: JsonObject }>(file).map(({ _id, change }) => [_id, change]),
        );
        expect(stored.map(payloadOf)).toEqual(
          before.map((record) => ({ ...payloadOf(record), ...changes.get(record._id as string) })),
        );
        expect([...changes.keys()].filter((id) => !ids.includes(id))).toEqual([]);
      }
    } finally {
      await sandbox.close();
    }
  });
});

describe('hostile.csv', () => {
  test('hostile.csv gives messages with row and column, and never a stack', async () => {
    const cwd = temporaryFolder();
    const { stdout, stderr } = await storeport(
      ['validate', 'products', sample('hostile.csv'), '--out', 'out'],
      { cwd },
    );
    const { results, errors } = readReports(join(cwd, 'out'));
    const byCode = Object.fromEntries(
      results.filter((line) => line.code).map((line) => [line.code, line.message]),
    );
    expect(byCode['ragged-row']).toMatch(/^row \d+.*cells/);
    expect(byCode['not-a-number']).toMatch(/^row 10, column "Variant Price": "abc" is not a number/);
    expect(byCode['unknown-word']).toMatch(
      /^row 13, column "Status": .* use one of: active, draft, archived/,
    );
    expect(byCode['unterminated-quote']).toMatch(/^row 16, column "/);
    expect(byCode['group-split']).toMatch(/^row 22, column "Vendor": "paper-lantern" is here again/);
    expect(stderr).toMatch(/Warning: .*"?Shelf/);
    expect(stderr).toMatch(/Warning: .*no name/i);
    expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .*:\d+/m);
    // A column called __proto__ has text like any other, and is returned unchanged.
    expect(errors.length).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
