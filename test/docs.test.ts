import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Command } from '../src/cli/commands/command.ts';
import { COMMON_OPTIONS, type OptionTable } from '../src/cli/options/options.ts';
import { loadPreset, type Mapping, parseExportMapping, parseMapping, presetNames } from '../src/map/index.ts';
import { ConfigError, cellText, type JsonObject } from '../src/model/index.ts';
import { tableColumns } from '../src/pipeline/export/columns.ts';
import { openInputs } from '../src/pipeline/index.ts';
import { prepareRecords } from '../src/pipeline/prepare/prepare-records.ts';
import { importable, resourceNamed } from '../src/resources/index.ts';
import { CODES } from '../src/store/response/rules.ts';

import { allCommands, generatedBlocks, usageOf } from './support/docs.ts';
import { storeport, temporaryFolder } from './support/run.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = allPages();
const commands = await allCommands();
const blocks = await generatedBlocks();

describe('parts that the code writes', () => {
  if (process.env.UPDATE_DOCS)
    for (const page of pages) {
      const text = withBlocks(page, blocks);
      if (text !== page.text) writeFileSync(page.path, text);
    }

  test.each(allPages())('$name has them as they are', (page) => {
    const shown = blocksIn(page);
    const made = new Map([...shown.keys()].map((name) => [name, blocks.get(name)]));
    expect(shown, 'npm run docs writes them anew').toEqual(made);
  });

  test('all of them are somewhere', () => {
    const shown = pages.flatMap((page) => [...blocksIn(page).keys()]);
    expect([...blocks.keys()].filter((name) => !shown.includes(name))).toEqual([]);
  });
});

describe('what pages refer to', () => {
  test.each(pages)('$name: command lines exist', (page) => {
    const complaints = commandLinesIn(page).map((words) => complaintAbout(words, commands));
    expect(complaints.filter((complaint) => complaint !== undefined)).toEqual([]);
  });

  test('the check of command lines sees mistakes', () => {
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

  test.each(pages)('$name: links lead somewhere', ({ path, text }) => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => !/^https?:/.test(target) && !leadsSomewhere(path, target));
    expect(broken).toEqual([]);
  });
});

describe('mappings that are shown', () => {
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

  test.each([
    ['first', 'products'],
    ['second', 'products'],
    ['third', 'products'],
    ['gaps', 'products'],
    ['expression', 'products'],
    ['lookup', 'products'],
    ['parts', 'products'],
    ['orders', 'orders'],
  ])('the %s example becomes what it says', async (name, resource) => {
    const example = fences.filter(({ notes }) => notes.example === name && notes.file === undefined);
    const beside = fences.flatMap(({ notes, text }): [string, string][] =>
      notes.example === name && notes.file !== undefined ? [[notes.file, text]] : [],
    );
    const [csv, mapping, json] = ['csv', 'yaml', 'json'].map(
      (language) => example.find((fence) => fence.language === language)?.text ?? '',
    );
    expect(await payloadsOf(resource, csv ?? '', mapping, beside)).toEqual(JSON.parse(json ?? ''));
  });

  test.each(importable)('the example of $name in the native form needs none', async ({ name }) => {
    const [csv, json] = fences.filter(({ notes }) => notes.native === name);
    expect(await payloadsOf(name, csv?.text ?? '')).toEqual(JSON.parse(json?.text ?? ''));
  });

  test('the one with mistakes gets the answer that is shown', () => {
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

  test('the one of an export makes what it says of the items that are shown', () => {
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

  test.each(presetNames())('the fields of %s are those that its table names', (name) => {
    const shown = namesIn(sectionOf(pageText('docs/presets.md'), name));
    const made = loadPreset(name).fields.map(({ path }) => path.join('.'));
    expect(shown.sort()).toEqual(made.sort());
  });

  test('the keys of a mapping are those that the table names', () => {
    const shown = namesIn(sectionOf(pageText('docs/mapping-reference.md'), 'The top level'));
    const take = (samples: Readonly<Record<string, unknown>>, keys: readonly string[]) =>
      Object.fromEntries(keys.map((key) => [key, samples[key] ?? key]));
    // Products have a key of their own, so one mapping cannot have all of them.
    const products = take(
      SAMPLES,
      shown.filter((key) => key !== 'key'),
    );
    const orders = take({ ...SAMPLES, resource: 'orders', fields: { status: 'Title' } }, shown);
    for (const mapping of [products, orders])
      expect(() => parseMapping('shown', JSON.stringify(mapping))).not.toThrow();
  });
});

/** Something that each key of a mapping takes. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  resource: 'products',
  fields: { name: 'Title' },
  key: 'Title',
  group: { by: 'Title' },
  columns: { Title: ['Name'] },
  recognise: ['Title'],
  joined: [{ recognise: ['Size'] }],
  skip: { when: 'Title' },
} satisfies Partial<Record<keyof Mapping | 'columns' | 'group' | 'key', unknown>>;

describe('codes', () => {
  const shown = namesIn(sectionOf(pageText('docs/reports.md'), 'Codes'));

  test('every one that the code uses is explained, and no other', () => {
    expect([...new Set(shown)].sort()).toEqual([...usedCodes()].sort());
  });

  test('none is explained twice', () => {
    expect(shown.filter((code, index) => shown.indexOf(code) !== index)).toEqual([]);
  });
});

describe('the example of reports.md', () => {
  test('is what a run gives', async () => {
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

  test('an export gives the summary and the manifest that export.md shows', async () => {
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

/** What is the same in every export; of the rest, that it is there and of which type. */
function lastingOfExport(told: JsonObject): JsonObject {
  const changing = ['duration_ms', 'store', 'started_at', 'finished_at', 'bytes', 'sha256'];
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, changing.includes(name) ? typeof value : value]),
  );
}

/** The payloads that the whole flow makes of a file, in its order. Throws where a record is not to be sent. */
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

/** What is the same in every run. */
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

/** Every code that a record or a warning can have. */
function usedCodes(): Set<string> {
  const text = ['read', 'group', 'map', 'validate', 'plan', 'send', 'pipeline']
    .flatMap((folder) => sourcesIn(join(root, 'src', folder)))
    .join('\n');
  const found = [
    /\bcode: '([a-z-]+)'/g,
    /\b(?:complain|addIssue)\((?:scope, name, )?\s*'([a-z-]+)'/g,
    /\bskippedOutcome\(\s*'[a-z-]+',\s*'([a-z-]+)'/g,
    /\.reason : '([a-z-]+)'/g,
    /'([a-z-]+)': \(name/g,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, code = '']) => code));
  const stops = wordsOf('StopReason', 'errors.ts');
  const suspects = wordsOf('SuspectCode', 'row/suspicion.ts');
  expect(found.length).toBeGreaterThan(20);
  expect(stops.length).toBeGreaterThan(5);
  expect(suspects.length).toBeGreaterThan(3);
  return new Set([...found, ...stops, ...suspects, ...Object.values(CODES)]);
}

/** The words that a type of the model is made of. */
function wordsOf(type: string, file: string): string[] {
  const text = readFileSync(join(root, 'src/model', file), 'utf8');
  const [, words = ''] = new RegExp(`type ${type} =([^;]+);`).exec(text) ?? [];
  return [...words.matchAll(/'([a-z-]+)'/g)].map(([, word = '']) => word);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** A page of the guide, or the README. */
interface Page {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

function allPages(): Page[] {
  const names = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
  return [...names.map((name) => `docs/${name}`), 'README.md'].map((name) => {
    const path = join(root, name);
    return { name, path, text: readFileSync(path, 'utf8') };
  });
}

const BLOCK = /<!-- ([\w-]+):begin -->\n(?:([\s\S]*?)\n)?<!-- \1:end -->/g;

/** What stands between the markers of a page, by name. */
function blocksIn({ text }: Page): Map<string, string> {
  return new Map([...text.matchAll(BLOCK)].map(([, name = '', block = '']) => [name, block]));
}

/** The page with the blocks as the code makes them. */
function withBlocks({ text }: Page, blocks: ReadonlyMap<string, string>): string {
  return text.replace(BLOCK, (whole, name: string) => {
    const block = blocks.get(name);
    return block === undefined ? whole : `<!-- ${name}:begin -->\n${block}\n<!-- ${name}:end -->`;
  });
}

/** A fenced block: ` ```yaml example=first ` has the language `yaml` and the note `{ example: 'first' }`. */
interface Fence {
  readonly language: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly text: string;
}

function fencesIn(text: string): Fence[] {
  return [...text.matchAll(/^```(\S+)(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', info = '', body = '']) => ({
      language,
      notes: Object.fromEntries(
        info
          .trim()
          .split(/\s+/)
          .filter((note) => note !== '')
          .map((note) => note.split('=') as [string, string?])
          .map(([name, value = '']) => [name, value]),
      ),
      text: body,
    }),
  );
}

/** Command lines that a page shows in code: fenced, indented or inline. Words in quotes stay together. */
function commandLinesIn({ text }: Page): string[][] {
  const fenced = fencesIn(text).flatMap((fence) => fence.text.replaceAll('\\\n', ' ').split('\n'));
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const indented = prose.split('\n').filter((line) => line.startsWith('    '));
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...fenced, ...indented, ...inline].flatMap(commandWords);
}

const STOPS: ReadonlySet<string> = new Set(['|', '>', '>>', '2>', '2>&1', '&&', '||', ';', '#', '…']);

function commandWords(line: string): string[][] {
  return [...line.matchAll(/(?:^|[\s/])storeport(?:\.js)? +(?=[a-z-])(.*)$/g)].map(([, rest = '']) => {
    const words = [...rest.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
      word.replaceAll(/['"]/g, ''),
    );
    const end = words.findIndex((word) => STOPS.has(word));
    return end === -1 ? words : words.slice(0, end);
  });
}

/** What is wrong with a command line, or undefined. `words` are those behind `storeport`. */
function complaintAbout(
  words: readonly string[],
  commands: ReadonlyMap<string, Command<unknown>>,
): string | undefined {
  const line = `storeport ${words.join(' ')}`;
  if (words[0] === 'help') return complaintAbout([...words.slice(1), '--help'], commands);
  if (words.every((word) => ['--help', '--version', '-h', '-v'].includes(word))) return undefined;
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => commands.has(each));
  const command = commands.get(name ?? '');
  if (name === undefined || !command) {
    const isGroup = [...commands.keys()].some((each) => each.startsWith(`${words[0]} `));
    return isGroup && words[1] === '--help' ? undefined : `${line}: there is no such command`;
  }
  const options: OptionTable = { ...command.options, ...COMMON_OPTIONS };
  const left = words.slice(name.split(' ').length);
  let given = 0;
  while (left.length > 0) {
    const word = left.shift() ?? '';
    if (word === '--help') return undefined;
    if (!word.startsWith('--')) {
      given++;
      continue;
    }
    const [flag = '', inline] = word.slice(2).split(/=(.*)/);
    const option = options[flag] ?? options[flag.replace(/^no-/, '')];
    if (!option) return `${line}: there is no option --${flag}`;
    if (option.type === 'boolean') continue;
    const value = inline ?? left.shift();
    if (value === undefined) return `${line}: --${flag} needs a value`;
    if (option.choices && !option.choices.includes(value)) return `${line}: --${flag} cannot be ${value}`;
    if (option.type === 'number' && !/^(\d+(\.\d+)?|[A-Z])$/.test(value))
      return `${line}: --${flag} takes a number`;
  }
  const least = command.usage.match(/<[^>]+>/g)?.length ?? 0;
  const most = command.usage.includes('..')
    ? Number.POSITIVE_INFINITY
    : (command.usage.match(/[<[]/g)?.length ?? 0);
  return given < least || given > most
    ? `${line}: ${given} arguments for ${usageOf(name, command)}`
    : undefined;
}

function pageText(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** What stands under a heading, down to the next one of its level or above. */
function sectionOf(text: string, title: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title);
  const level = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 0;
  if (level === 0) throw new Error(`there is no heading "${title}"`);
  const length = lines.slice(start + 1).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
}

/** The names in code in the first column of the tables of a text. */
function namesIn(text: string): string[] {
  const cells = text.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsIn(readFileSync(path, 'utf8')).has(anchor);
}

/** Anchors as GitHub makes them of headings. */
function anchorsIn(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
