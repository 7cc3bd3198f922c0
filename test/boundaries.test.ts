import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url)).replaceAll('\\', '/');

/**
 * Folders and libraries that each folder may import. ARCHITECTURE.md has the same table. A stage never imports
 * another stage, only `pipeline` composes them, and no folder imports `cli`.
 */
const ALLOWED: Readonly<Record<string, { folders: readonly string[]; libraries: readonly string[] }>> = {
  model: { folders: [], libraries: ['libphonenumber-js'] },
  resources: { folders: ['model'], libraries: ['zod'] },
  options: { folders: ['model', 'resources'], libraries: [] },
  read: {
    folders: ['model'],
    libraries: ['csv-parse', 'iconv-lite', 'chardet', 'yauzl', 'saxes', 'numfmt'],
  },
  map: {
    folders: ['model', 'resources'],
    libraries: ['yaml', 'zod', 'fastest-levenshtein', 're2js', 'jsonata', 'entities'],
  },
  group: { folders: ['model'], libraries: ['libsql'] },
  suggest: { folders: ['model', 'map'], libraries: ['yaml'] },
  validate: { folders: ['model', 'resources'], libraries: ['zod'] },
  suspect: { folders: ['model'], libraries: [] },
  plan: { folders: ['model', 'resources'], libraries: [] },
  store: { folders: ['model'], libraries: ['undici', 'bottleneck'] },
  send: { folders: ['model', 'resources'], libraries: [] },
  ledger: { folders: ['model'], libraries: ['libsql'] },
  images: { folders: ['model', 'group', 'store'], libraries: ['libsql'] },
  write: { folders: ['model'], libraries: ['csv-stringify', 'yazl'] },
  report: { folders: ['model', 'options', 'write'], libraries: [] },
  pipeline: {
    folders: [
      'model',
      'options',
      'resources',
      'read',
      'map',
      'group',
      'validate',
      'suspect',
      'suggest',
      'plan',
      'store',
      'send',
      'ledger',
      'images',
      'write',
      'report',
    ],
    libraries: [],
  },
  sandbox: { folders: ['model'], libraries: ['ajv'] },
  http: { folders: ['model'], libraries: ['zod'] },
  postgres: { folders: ['model', 'ledger'], libraries: ['pg'] },
  fleet: {
    folders: [
      'model',
      'options',
      'resources',
      'map',
      'plan',
      'store',
      'write',
      'report',
      'pipeline',
      'ledger',
      'postgres',
      'http',
    ],
    libraries: ['pg-boss', 'cron-parser', 'zod', 'yaml', 'undici', 'aws4fetch'],
  },
  library: {
    folders: [
      'model',
      'options',
      'resources',
      'map',
      'plan',
      'store',
      'send',
      'report',
      'pipeline',
      'sandbox',
    ],
    libraries: ['zod'],
  },
  ui: {
    folders: ['model', 'resources', 'read', 'map', 'plan', 'suggest', 'write', 'report', 'pipeline', 'http'],
    libraries: ['yaml', 'zod'],
  },
  page: { folders: ['ui', 'fleet'], libraries: ['preact', '@tanstack/virtual-core'] },
  cli: {
    folders: [
      'model',
      'options',
      'resources',
      'map',
      'plan',
      'store',
      'write',
      'report',
      'pipeline',
      'sandbox',
      'ui',
      'fleet',
    ],
    libraries: ['yargs', 'pino', 'yaml', 'zod', '@opentelemetry'],
  },
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly target: string;
}

/** Static and dynamic imports. Types count too, since they tie folders together as well. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const [from = ''] = file.split('/');
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([\w@./:-]+)'/gm);
  return [...specifiers].map(([, target = '']) => ({ file, from, target }));
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file));
const imports = files.flatMap(importsOf);

/** The folder below src of a relative import. */
function folderOf({ file, target }: Import): string {
  return relative(src, join(src, dirname(file), target)).split('/')[0] ?? '';
}

/** Files imported from other folders directly: the index of their folder would load more than is needed. */
const IMPORTED_DIRECTLY = [
  'fleet/serve/api.ts',
  'http/api.ts',
  'ledger/engine.ts',
  'map/did-you-mean.ts',
  'map/presets/platforms.ts',
  'map/presets/preset-index.ts',
  'map/syntax/document.ts',
  'map/syntax/json-schema.ts',
  'model/files/fs.ts',
  'model/memory-pressure.ts',
  'model/outcome/look.ts',
  'pipeline/run/unfinished-runs.ts',
  'pipeline/suggest/index.ts',
  'resources/names.ts',
  'sandbox/misbehave/faults.ts',
  'store/base-url.ts',
  'store/mask/mask.ts',
  'store/pagination/index.ts',
  'ui/api/index.ts',
];

/** The file, or its folder inside a folder of src: `store/rate`. */
function roomOf(file: string): string {
  const [folder = '', room = '', ...rest] = file.split('/');
  return rest.length > 0 ? `${folder}/${room}` : file;
}

function edgesBetween(nodeOf: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of imports.filter(({ target }) => target.startsWith('.'))) {
    const [from, to] = [nodeOf(file), nodeOf(relative(src, join(src, dirname(file), target)))];
    if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  return edges;
}

/** The nodes of a graph that are part of a cycle. */
function cyclesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (from: string, seen: Set<string>): Set<string> => {
    for (const to of edges.get(from) ?? []) if (!seen.has(to)) reaches(to, seen.add(to));
    return seen;
  };
  return [...edges.keys()].filter((node) => reaches(node, new Set()).has(node));
}

describe('imports between folders', () => {
  test('every folder of src is in the table, and the table has no others', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  test.each(Object.keys(ALLOWED))('%s imports only the folders and libraries that it may', (from) => {
    const { folders, libraries } = ALLOWED[from] as { folders: string[]; libraries: string[] };
    const mine = imports.filter((each) => each.from === from);
    const strays = mine.filter((each) => {
      if (each.target.startsWith('node:')) return false;
      if (each.target.startsWith('.')) return ![from, ...folders].includes(folderOf(each));
      return !libraries.some((library) => each.target === library || each.target.startsWith(`${library}/`));
    });
    expect(strays.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test('the table in ARCHITECTURE.md is the same', () => {
    const page = readFileSync(join(src, '..', 'ARCHITECTURE.md'), 'utf8');
    for (const [folder, { folders, libraries }] of Object.entries(ALLOWED)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${folder}/\``)) ?? '';
      const [, , , mayImport = '', uses = ''] = row.split('|').map((cell) => cell.trim());
      expect({ folder, mayImport, uses }).toEqual({
        folder,
        mayImport: folders.join(', ') || '–',
        uses: libraries.join(', ') || '–',
      });
    }
  });

  test('other folders import the index of a folder, or a file that is listed', () => {
    const targets = imports
      .filter((each) => each.target.startsWith('.') && folderOf(each) !== each.from)
      .map(({ file, target }) => relative(src, join(src, dirname(file), target)));
    const past = new Set(targets.filter((target) => !/^[a-z]+\/index\.ts$/.test(target)));
    expect([...past].sort()).toEqual(IMPORTED_DIRECTLY);
    const page = readFileSync(join(src, '..', 'ARCHITECTURE.md'), 'utf8');
    for (const file of IMPORTED_DIRECTLY) expect(page).toContain(`\`${file}\``);
  });

  test.each([
    ['folder of src', (file: string) => file.split('/')[0] ?? ''],
    ['folder inside a folder of src', roomOf],
    ['file', (file: string) => file],
  ])('no %s imports itself through others, types included', (_, nodeOf) => {
    expect(cyclesIn(edgesBetween(nodeOf))).toEqual([]);
  });

  test('a cycle is detected', () => {
    const edges = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ]);
    expect(cyclesIn(edges)).toEqual(['b', 'c']);
  });

  test('the imports of pipeline are found: it composes the stages', () => {
    expect(imports.some(({ from, target }) => from === 'pipeline' && target.includes('../read/'))).toBe(true);
  });
});

test('an exported name means one thing in all of src', () => {
  const places = new Map<string, string[]>();
  for (const file of files)
    for (const name of exportedIn(readFileSync(join(src, file), 'utf8')))
      places.set(name, [...(places.get(name) ?? []), file]);
  expect(places.size).toBeGreaterThan(1000);
  expect([...places].filter(([, found]) => found.length > 1)).toEqual([]);
});

/** Names that a file declares and exports, without re-exports. */
function exportedIn(text: string): string[] {
  const declarations = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) +(\w+)/gm,
  );
  return [...new Set([...declarations].map(([, name = '']) => name))];
}

/** The libraries that are loaded with a file: static imports, without those of types. */
async function loadedWith(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(src, file)],
    outdir: 'nowhere',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
  });
  const seen = new Set<string>();
  const follow = (output: string): string[] => {
    if (seen.has(output)) return [];
    seen.add(output);
    const imports = metafile.outputs[output]?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
    return imports.flatMap(({ path, external }) => (external ? [path] : follow(path)));
  };
  const [entry = ''] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(file)) ?? [];
  const libraries = follow(entry).filter((name) => !name.startsWith('node:'));
  return [...new Set(libraries.map((name) => name.replace(/^undici\/lib\/.+/, 'undici/lib')))].sort();
}

describe('a short command does not load what it does not use', () => {
  test.each([
    ['cli/main.ts', ['csv-stringify/sync']],
    ['cli/help.ts', ['yargs']],
    [
      'pipeline/index.ts',
      ['csv-parse', 'csv-stringify/sync', 'fastest-levenshtein', 'libsql', 'yaml', 'zod'],
    ],
    ['store/index.ts', ['bottleneck', 'undici/lib']],
  ])('%s loads %j and no other library', async (file, libraries) => {
    expect(await loadedWith(file)).toEqual(libraries);
  });
});
