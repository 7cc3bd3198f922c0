import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * Which folder may import which, and which of the libraries. The same table stands in ARCHITECTURE.md; a stage
 * never imports another stage, only `pipeline` composes them, and nothing imports `cli`.
 */
const ALLOWED: Readonly<Record<string, { folders: readonly string[]; libraries: readonly string[] }>> = {
  model: { folders: [], libraries: [] },
  resources: { folders: ['model'], libraries: ['zod'] },
  read: { folders: ['model'], libraries: ['csv-parse', 'iconv-lite', 'chardet'] },
  map: {
    folders: ['model', 'resources'],
    libraries: ['yaml', 'zod', 'fastest-levenshtein', 're2js', 'jsonata', 'entities'],
  },
  group: { folders: ['model'], libraries: ['libsql'] },
  validate: { folders: ['model', 'resources'], libraries: ['zod'] },
  suspect: { folders: ['model'], libraries: [] },
  plan: { folders: ['model', 'resources'], libraries: [] },
  store: { folders: ['model'], libraries: ['undici', 'bottleneck'] },
  send: { folders: ['model', 'resources'], libraries: [] },
  ledger: { folders: ['model'], libraries: ['libsql'] },
  write: { folders: ['model'], libraries: ['csv-stringify'] },
  report: { folders: ['model', 'write'], libraries: [] },
  pipeline: {
    folders: [
      'model',
      'resources',
      'read',
      'map',
      'group',
      'validate',
      'suspect',
      'plan',
      'store',
      'send',
      'ledger',
      'write',
      'report',
    ],
    libraries: [],
  },
  sandbox: { folders: ['model'], libraries: ['ajv'] },
  cli: {
    folders: ['model', 'resources', 'map', 'plan', 'store', 'write', 'report', 'pipeline', 'sandbox'],
    libraries: ['yargs', 'pino', 'yaml', 'zod'],
  },
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly target: string;
}

/** Static and dynamic imports; types count too, since they tie folders together as well. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const [from = ''] = file.split('/');
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([\w@./:-]+)'/gm);
  return [...specifiers].map(([, target = '']) => ({ file, from, target }));
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

/** The folder below src that a relative import leads to. */
function folderOf({ file, target }: Import): string {
  return relative(src, join(src, dirname(file), target)).split('/')[0] ?? '';
}

describe('who may import whom', () => {
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

  test('the table in ARCHITECTURE.md is this one', () => {
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

  test('no two folders import each other, by any way round', () => {
    const edges = new Map<string, Set<string>>();
    for (const each of imports.filter(({ target }) => target.startsWith('.'))) {
      const to = folderOf(each);
      if (to !== each.from) edges.set(each.from, (edges.get(each.from) ?? new Set()).add(to));
    }
    const reaches = (from: string, seen: Set<string>): Set<string> => {
      for (const to of edges.get(from) ?? []) if (!seen.has(to)) reaches(to, seen.add(to));
      return seen;
    };
    expect([...edges.keys()].filter((folder) => reaches(folder, new Set()).has(folder))).toEqual([]);
  });

  test('the code sees the imports it should: pipeline does compose the stages', () => {
    expect(imports.some(({ from, target }) => from === 'pipeline' && target.includes('../read/'))).toBe(true);
  });
});

/** The libraries that are loaded with a file at once: static imports, and not those of types. */
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

describe('a short command does not wait for what it does not use', () => {
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
