import { describe, expect, test } from 'vitest';
import { exportTaskOptions, importTaskOptions } from '../../src/fleet/tasks/task-options.ts';
import {
  argumentsOf,
  camelCase,
  EXPORT_OPTIONS,
  type Option,
  ofTasks,
  READ_OPTIONS,
  reportFormatOf,
  runOptionsOf,
  SEND_OPTIONS,
  STORE_OPTIONS,
  valueSyntaxOf,
  withDefaults,
} from '../../src/options/index.ts';
import { importArguments } from '../../src/report/index.ts';

const ALL: Readonly<Record<string, Option>> = {
  ...READ_OPTIONS,
  ...EXPORT_OPTIONS,
  ...SEND_OPTIONS,
  ...STORE_OPTIONS,
};

/** A text that the syntax of each option accepts. */
const TEXTS: Readonly<Record<string, string>> = {
  ...{ 'allow-lookup': 'tables', mapping: 'shopify-products', set: 'status=DRAFT', country: 'de' },
  ...{ 'image-base': 'https://shop.example/media', 'max-errors': '5%', 'image-max-size': '20MB' },
  ...{ 'image-max-age': '7d', 'out-delimiter': 'tab', rows: '4-63', 'skip-rows': 'SKU=TOTAL' },
  ...{ timeout: '30s', 'give-up-after': '15m', 'base-url': 'https://shop.example', filter: 'rating=5' },
};

function textOf(name: string, { choices, type }: Option): string {
  return TEXTS[name] ?? choices?.[0] ?? (type === 'number' ? '7' : type === 'boolean' ? 'yes' : 'some text');
}

function parsedValue(name: string, option: Option): unknown {
  const value = valueSyntaxOf(option).read(textOf(name, option));
  return option.array ? [value] : value;
}

describe('an option', () => {
  test.each(Object.entries(ALL))('--%s: a value that was parsed is parsed to itself', (name, option) => {
    const { read } = valueSyntaxOf(option);
    const value = read(textOf(name, option));
    expect(value).toBeDefined();
    expect(read(String(value))).toEqual(value);
  });

  test.each(Object.entries(ALL).filter(([, option]) => option.default !== undefined && !option.array))(
    '--%s: its default is a value of it',
    (_, option) => {
      expect(valueSyntaxOf(option).read(String(option.default))).toEqual(option.default);
    },
  );
});

describe('a task of a fleet', () => {
  const imported = Object.entries<Option>(ofTasks(READ_OPTIONS));
  const exported = Object.entries<Option>(ofTasks(EXPORT_OPTIONS));

  test.each(imported)('an import may carry --%s', (name, option) => {
    const options = { files: ['a.csv'], [camelCase(name)]: parsedValue(name, option) };
    expect(importTaskOptions(options)).toEqual(options);
  });

  test.each(exported)('an export may carry --%s', (name, option) => {
    const options = { [camelCase(name)]: parsedValue(name, option) };
    expect(exportTaskOptions(options)).toEqual(options);
  });

  test.each(['show', 'out', 'allow-private-images'])('an import cannot carry --%s of one machine', (name) => {
    const options = { files: ['a.csv'], [camelCase(name)]: parsedValue(name, ALL[name] as Option) };
    expect(() => importTaskOptions(options)).toThrow('The options of the import are wrong.');
  });

  test.each([
    [{ limit: 0 }, 'limit must be a whole number from 1 on.'],
    [{ limit: '7' }, 'limit must be a whole number from 1 on.'],
    [{ mode: 'replace' }, 'mode must be create, update or upsert.'],
    [{ strict: 'yes' }, 'strict must be true or false.'],
    [{ encoding: ' ' }, 'encoding must be text.'],
    [{ set: 'status=DRAFT' }, 'set must be a list.'],
    [{ set: ['status'] }, 'set.0 must be path=value, such as status=DRAFT.'],
    [{ country: 'Germania' }, /^country must be /],
    [{ format: 'pdf' }, 'format must be csv, tsv, json, ndjson or xlsx.'],
  ])('options %j are refused with the syntax of the option', (options, hint) => {
    try {
      importTaskOptions({ files: ['a.csv'], ...options });
      expect.unreachable();
    } catch (error) {
      expect((error as { hints: readonly string[] }).hints[0]).toMatch(hint);
    }
  });
});

describe('values of options', () => {
  test('values of options are taken from a command without the values of other options', () => {
    expect(argumentsOf(STORE_OPTIONS, { baseUrl: 'https://a.example', rows: '4-', rate: undefined })).toEqual(
      {
        baseUrl: 'https://a.example',
      },
    );
  });

  test('values of options that are missing have the default of their row', () => {
    const { concurrency, timeout, rate } = withDefaults(STORE_OPTIONS, { timeout: '5s' });
    expect([concurrency, timeout, rate]).toEqual([16, '5s', undefined]);
  });

  test('values of options are converted to what a run takes', () => {
    const images = { environment: {}, timeoutMs: 1000 };
    const given = {
      set: ['status=DRAFT'],
      maxErrors: '5%',
      country: 'de',
      rows: '4-',
      errorsAs: 'xlsx',
    } as const;
    expect(runOptionsOf(given, images)).toMatchObject({
      ...{ mode: 'upsert', offset: 0, maskContacts: false, checkImages: undefined },
      ...{ constants: { status: 'DRAFT' }, maxErrors: { percent: 5 }, country: 'DE', read: { rows: '4-' } },
      reportFormat: { errorsAs: 'xlsx' },
    });
    expect(runOptionsOf({ checkImages: true, imageMaxSize: '1MB' }, images).checkImages).toMatchObject({
      ...{ rate: 20, mostBytes: 1_000_000, maxAgeMs: 7 * 86_400_000, allowsPrivate: false, timeoutMs: 1000 },
    });
  });

  test('values of options that no option names are left out of the form of reports', () => {
    expect(reportFormatOf({ outBom: true })).toEqual({ bom: true });
  });
});

describe('an import of returned rows', () => {
  const run = (options: Record<string, unknown>) =>
    importArguments({ resource: 'products', options } as never, ['errors.csv'], {
      ...{ shown: (path: string) => `./${path}`, withStore: false },
    }).options;

  test('repeats what made the records, and neither defaults nor what concerns the first file', () => {
    const given = { mode: 'create', maskContacts: false, rows: '4-', limit: 7, rate: 5, strict: true };
    expect(run(given)).toEqual({ mode: ['create'], strict: true });
  });

  test('names the places of a mapping and of its look-ups', () => {
    expect(run({ mapping: 'shop.yaml', allowLookup: ['tables'], imageBase: 'https://a.example/m' })).toEqual({
      ...{ mapping: ['./shop.yaml'], 'allow-lookup': ['./tables'], 'image-base': ['https://a.example/m'] },
    });
  });
});
