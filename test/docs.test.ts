import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { loadPreset, type Mapping, parseExportMapping, parseMapping, presetNames } from '../src/map/index.ts';
import { ConfigError, cellText, type JsonObject } from '../src/model/index.ts';
import { tableColumns } from '../src/pipeline/export/columns.ts';
import { openInputs } from '../src/pipeline/index.ts';
import { prepareRecords } from '../src/pipeline/prepare/prepare-records.ts';
import { importable, resourceNamed } from '../src/resources/index.ts';
import { loadContract } from '../src/sandbox/contract.ts';

import { commandLinesIn, complaintAbout } from './support/docs/command-lines.ts';
import { allCommands } from './support/docs/commands.ts';
import { generatedBlocks } from './support/docs/index.ts';
import {
  allPages,
  fencesIn,
  guidePages,
  leadsSomewhere,
  namesIn,
  type Page,
  pageText,
  sectionOf,
  sourceFiles,
  withoutFences,
} from './support/docs/pages.ts';
import { sample, storeport, temporaryFolder } from './support/run.ts';

const pages = guidePages();
const commands = await allCommands();
const blocks = await generatedBlocks();
const sources = sourceFiles();

const CONTRACT_FILE = fileURLToPath(new URL('../docs/api/commerce-store.openapi.json', import.meta.url));
const servedContract = (): unknown => JSON.parse(loadContract().documentText);

describe('generated parts of the guide', () => {
  if (process.env.UPDATE_DOCS) {
    writeFileSync(CONTRACT_FILE, `${JSON.stringify(servedContract(), null, 2)}\n`);
    for (const page of pages) {
      const text = withBlocks(page, blocks);
      if (text !== page.text) writeFileSync(page.path, text);
    }
  }

  test.each(guidePages())('$name has them as the code writes them', (page) => {
    const shown = blocksIn(page);
    const made = new Map([...shown.keys()].map((name) => [name, blocks.get(name)]));
    expect(shown, 'npm run docs writes them anew').toEqual(made);
  });

  test('docs/api/commerce-store.openapi.json is the document that the sandbox serves', () => {
    const shown = JSON.parse(readFileSync(CONTRACT_FILE, 'utf8'));
    expect(shown, 'npm run docs writes it again').toEqual(servedContract());
  });

  test('are each in some page', () => {
    const shown = pages.flatMap((page) => [...blocksIn(page).keys()]);
    expect([...blocks.keys()].filter((name) => !shown.includes(name))).toEqual([]);
  });
});

describe('references in the guide', () => {
  test.each(pages)('$name: command lines are valid', (page) => {
    const complaints = commandLinesIn(page).map((words) => complaintAbout(words, commands));
    expect(complaints.filter((complaint) => complaint !== undefined)).toEqual([]);
  });

  test('the check of command lines finds mistakes', () => {
    const wrong = [
      'run resume last now',
      'import products',
      'import products a.csv --rat 3',
      'import products a.csv --mode delete',
      'import products a.csv --limit many',
      'export reviews more --out a.csv',
    ];
    for (const line of wrong) expect(complaintAbout(line.split(' '), commands), line).toBeDefined();
    const text =
      '```sh\n$ cd /srv && storeport import "a b" c | head\n```\n`storeport --help` or storeport is\n';
    expect(commandLinesIn({ name: '', path: '', text })).toEqual([['import', 'a b', 'c'], ['--help']]);
  });

  test.each(allPages())('$name: links have targets', ({ path, text }) => {
    const targets = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => !/^https?:/.test(target) && !leadsSomewhere(path, target));
    expect(broken).toEqual([]);
  });

  test.each(allPages())('$name: source files exist', ({ text }) => {
    const spans = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
    const named = spans.filter((span) => /^(?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs)$/.test(span));
    const missing = named.filter((name) => !sources.some((file) => file.endsWith(`/${name}`)));
    expect(missing.filter((name) => !EXAMPLES.has(name))).toEqual([]);
  });
});

/** Files that the examples of CONTRIBUTING.md add. */
const EXAMPLES: ReadonlySet<string> = new Set([
  'src/map/steps/pad.ts',
  'src/resources/carts.ts',
  'src/sandbox/seed/carts.ts',
]);

describe('mappings in the guide', () => {
  const fences = ['docs/mappings.md', 'docs/mapping-reference.md'].flatMap((page) =>
    fencesIn(pageText(page)),
  );

  test.each(
    pages
      .flatMap(({ text }) => fencesIn(text))
      .filter(({ notes }) => 'mapping' in notes || 'fields' in notes),
  )('$text', ({ notes, text }) => {
    const whole = 'mapping' in notes ? text : `resource: products\nfields:\n${text.replace(/^/gm, '  ')}`;
    expect(() => parseMapping('shown', whole)).not.toThrow();
  });

  const examples = fences
    .filter(({ language, notes }) => language === 'yaml' && 'mapping' in notes && notes.example !== undefined)
    .map(({ notes, text }) => [notes.example ?? '', /^resource: (\w+)/m.exec(text)?.[1] ?? '']);

  test.each(examples)('the %s example gives the payloads that the page shows', async (name, resource) => {
    const example = fences.filter(({ notes }) => notes.example === name && notes.file === undefined);
    const beside = fences.flatMap(({ notes, text }): [string, string][] =>
      notes.example === name && notes.file !== undefined ? [[notes.file, text]] : [],
    );
    const [csv, mapping, json] = ['csv', 'yaml', 'json'].map(
      (language) => example.find((fence) => fence.language === language)?.text ?? '',
    );
    expect(await payloadsOf(resource, csv ?? '', mapping, beside)).toEqual(JSON.parse(json ?? ''));
  });

  test.each(importable)('the example of $name in the native form needs no mapping', async ({ name }) => {
    const [csv, json] = fences.filter(({ notes }) => notes.native === name);
    expect(await payloadsOf(name, csv?.text ?? '')).toEqual(JSON.parse(json?.text ?? ''));
  });

  test('the example with mistakes gives the messages that the page shows', () => {
    const [mapping, answer] = fences.filter(({ notes }) => 'refused' in notes);
    let hints: readonly string[] = [];
    try {
      parseMapping('shown', mapping?.text ?? '');
    } catch (error) {
      hints = (error as ConfigError).hints;
      expect(error).toBeInstanceOf(ConfigError);
    }
    expect(hints).toEqual(answer?.text.trimEnd().split('\n'));
  });

  test.each(pages.flatMap(({ text }) => fencesIn(text)).filter(({ notes }) => 'export-mapping' in notes))(
    '$text',
    ({ text }) => {
      expect(() => parseExportMapping('shown', text)).not.toThrow();
    },
  );

  test('the example of an export gives the columns that the page shows', () => {
    const exported = fencesIn(pageText('docs/export.md')).filter(({ notes }) => 'exported' in notes);
    const textOf = (note: string) =>
      exported.find(({ notes }) => notes.exported === note)?.text ?? `there is no ${note}`;
    const mapping = parseExportMapping('shown', textOf('mapping'));
    const { columns, rowsOf, counts } = tableColumns({
      resource: resourceNamed('reviews'),
      format: 'csv',
      mapping,
    });
    const rows = rowsOf(JSON.parse(textOf('items')));
    const cells = rows.map((row) => columns.map(({ value }) => cellText(value(row))));
    expect([columns.map(({ name }) => name), ...cells]).toEqual(parseCsv(textOf('csv')));
    expect(rows).toEqual(JSON.parse(textOf('json')));
    expect(counts()).toEqual({ not_in_columns: {}, not_converted: {} });
  });

  test.each(presetNames())('the table of %s names its fields', (name) => {
    const shown = namesIn(sectionOf(pageText('docs/presets.md'), name));
    const made = loadPreset(name).fields.map(({ path }) => path.join('.'));
    expect(shown.sort()).toEqual(made.sort());
  });

  test('the table of keys names all keys of a mapping', () => {
    const shown = namesIn(sectionOf(pageText('docs/mapping-reference.md'), 'The top level'));
    const take = (samples: Readonly<Record<string, unknown>>, keys: readonly string[]) =>
      Object.fromEntries(keys.map((key) => [key, samples[key] ?? key]));
    // Products have a key field and no total, so one mapping cannot have all keys.
    const products = take(
      SAMPLES,
      shown.filter((key) => key !== 'key' && key !== 'check'),
    );
    const orders = take({ ...SAMPLES, resource: 'orders', fields: { status: 'Title' } }, shown);
    for (const mapping of [products, orders])
      expect(() => parseMapping('shown', JSON.stringify(mapping))).not.toThrow();
  });
});

/** A valid value of each key of a mapping. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  resource: 'products',
  fields: { name: 'Title' },
  key: 'Title',
  group: { by: 'Title' },
  source: { sheet: 'Prices' },
  columns: { Title: ['Name'] },
  recognise: ['Title'],
  joined: [{ recognise: ['Size'] }],
  skip: { when: 'Title' },
  check: { total: 'Total' },
  words: { Title: ['live'] },
  checks: [{ that: '$exists(status)' }],
} satisfies Partial<Record<keyof Mapping | 'columns' | 'group' | 'key', unknown>>;

test('docs/README.md links to every page of the guide that the package has', () => {
  const linked = [...pageText('docs/README.md').matchAll(/\]\(([\w-]+\.md)[)#]/g)].map(([, page]) => page);
  const inSource = ['docs/README.md', 'docs/decisions.md', 'docs/performance.md', 'README.md'];
  const others = pages.map(({ name }) => name).filter((name) => !inSource.includes(name));
  expect(others.filter((name) => !linked.includes(name.replace('docs/', '')))).toEqual([]);
});

test('the README has fewer than 900 words', () => {
  expect(pageText('README.md').trim().split(/\s+/).length).toBeLessThan(900);
});

test('the first sh block of the README has the two commands of a fresh machine', () => {
  const [first] = fencesIn(pageText('README.md')).filter(({ language }) => language === 'sh');
  expect(first?.text).toBe('npm ci && npm run build && node dist/storeport.js demo\nnpm ci && npm test\n');
});

test('the output in the README is that of the command above it', async () => {
  const cwd = temporaryFolder();
  const file = 'samples/shopify-products.csv';
  mkdirSync(join(cwd, 'samples'));
  copyFileSync(sample('shopify-products.csv'), join(cwd, file));
  const [command = '', ...shown] = (
    fencesIn(pageText('README.md')).find(({ language }) => language === 'console')?.text ?? ''
  ).split('\n');
  expect(command).toBe(`$ node dist/storeport.js import products ${file} --sandbox`);
  const { stdout, stderr } = await storeport(command.split(' ').slice(3), { cwd });
  const neutral = (text: string) =>
    text.replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN').replaceAll(/[\d.]+s/g, 'TIME');
  const printed = neutral(stderr + stdout).split('\n');
  const lines = shown.filter((line) => line !== '…').map(neutral);
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.filter((line) => !printed.includes(line))).toEqual([]);
});

describe('the example of reports.md', () => {
  test('equals the reports of a run', async () => {
    const cwd = temporaryFolder();
    const fences = fencesIn(pageText('docs/reports.md'));
    for (const { notes, text } of fences) if (notes.file) writeFileSync(join(cwd, notes.file), text);
    const [first = [], second = []] = fences
      .filter(({ notes }) => 'run' in notes)
      .flatMap(({ language, text }) =>
        commandLinesIn({ name: '', path: '', text: `\`\`\`${language}\n${text}\`\`\`` }),
      );

    const ended = await storeport([...first, '--sandbox', '--home', 'ledger'], { cwd });
    expect(ended.code).toBe(1);
    for (const { notes, text } of fences) {
      if (!notes.shows) continue;
      const written = readFileSync(join(cwd, notes.shows), 'utf8');
      expect(lasting(notes.shows, written), notes.shows).toEqual(lasting(notes.shows, text));
    }

    const errors = join(cwd, 'first', 'errors.csv');
    const corrected = readFileSync(errors, 'utf8')
      .replace('"1,200"', '1200')
      .replace('INK-08,,', 'INK-08,Red ink,');
    writeFileSync(errors, corrected);
    expect((await storeport([...second, '--sandbox', '--home', 'ledger'], { cwd })).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'second', 'summary.json'), 'utf8')).outcomes).toEqual({
      created: 2,
    });
  });

  test('the example of export.md equals the summary and the manifest of an export', async () => {
    const cwd = temporaryFolder();
    const columns = ['--columns', '_id,product.name,rating,*'];
    const line = ['export', 'reviews', '--out', 'reviews.csv', ...columns, '--json', '--sandbox'];
    const { stdout } = await storeport(line, { cwd });
    const shown = (note: string): JsonObject =>
      JSON.parse(fencesIn(pageText('docs/export.md')).find(({ notes }) => note in notes)?.text ?? '');
    expect(lastingOfExport(shown('export'))).toEqual(lastingOfExport(JSON.parse(stdout)));
    const manifest = JSON.parse(readFileSync(join(cwd, 'reviews.csv.manifest.json'), 'utf8'));
    expect(lastingOfExport(shown('manifest'))).toEqual(lastingOfExport(manifest));
    const explained = namesIn(sectionOf(pageText('docs/export.md'), 'The manifest'));
    expect(explained.filter((name) => !(name in manifest))).toEqual([]);
  });
});

/** Fields that are the same in every export; of the rest, their presence and type. */
function lastingOfExport(told: JsonObject): JsonObject {
  const changing = ['duration_ms', 'store', 'started_at', 'finished_at', 'bytes', 'sha256'];
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, changing.includes(name) ? typeof value : value]),
  );
}

/** The payloads of a file after the whole flow, in order. Throws if a record would not be sent. */
async function payloadsOf(
  name: string,
  csv: string,
  mapping?: string,
  beside: readonly [file: string, text: string][] = [],
): Promise<JsonObject[]> {
  const folder = temporaryFolder();
  for (const [file, text] of beside) writeFileSync(join(folder, file), text);
  const resource = resourceNamed(name);
  writeFileSync(join(folder, 'shop.csv'), csv);
  if (mapping !== undefined) writeFileSync(join(folder, 'shop.yaml'), mapping);
  const inputs = await openInputs({
    resource,
    files: [join(folder, 'shop.csv')],
    mapping: mapping === undefined ? undefined : join(folder, 'shop.yaml'),
    mode: 'create',
    constants: {},
    read: {},
    onWarning: (warning) => {
      throw new Error(warning.message);
    },
  });
  const options = {
    resource,
    mode: 'create',
    dryRun: false,
    offset: 0,
    maskContacts: false,
    fromSettings: {},
    onPrepared: () => {},
    spillFolder: folder,
  } as const;
  const payloads: JsonObject[] = [];
  for await (const batch of prepareRecords(inputs, options))
    for (const { operation, outcome } of batch) {
      if (!operation) throw new Error(outcome.message);
      payloads.push(operation.payload);
    }
  return payloads;
}

/** Fields that are the same in every run. */
function lasting(file: string, text: string): unknown {
  const neutral = text.replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN');
  if (file.endsWith('.csv'))
    return (parseCsv(neutral, { columns: true }) as Record<string, string>[]).map(
      ({ duration_ms: _took, ...row }) => row,
    );
  const { started_at, finished_at, duration_ms, records_per_second, store, versions, out, ...rest } =
    JSON.parse(neutral);
  expect({ started_at, finished_at, store, versions, out }).toMatchObject({
    started_at: expect.any(String),
    finished_at: expect.any(String),
    store: expect.stringMatching(/^http/),
    versions: { storeport: expect.any(String), node: expect.any(String) },
    out: expect.stringMatching(/first$/),
  });
  expect([duration_ms, records_per_second].every((figure) => typeof figure === 'number')).toBe(true);
  return rest;
}

const BLOCK = /<!-- ([\w-]+):begin -->\n(?:([\s\S]*?)\n)?<!-- \1:end -->/g;

/** The text between the markers of a page, by name. */
function blocksIn({ text }: Page): Map<string, string> {
  return new Map([...text.matchAll(BLOCK)].map(([, name = '', block = '']) => [name, block]));
}

/** The page with the blocks that the code generates. */
function withBlocks({ text }: Page, blocks: ReadonlyMap<string, string>): string {
  return text.replace(BLOCK, (whole, name: string) => {
    const block = blocks.get(name);
    return block === undefined ? whole : `<!-- ${name}:begin -->\n${block}\n<!-- ${name}:end -->`;
  });
}
