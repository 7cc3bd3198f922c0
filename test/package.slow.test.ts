import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const shipped = filesOfPackage();
const folders = new Set([...shipped].flatMap(foldersAbove));
const isShipped = (path: string) => shipped.has(path) || folders.has(path.replace(/\/$/, ''));

const pages = [...shipped]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: textOf(file) }));

describe('the package', () => {
  test('has the program, its presets, its pages and a sample file', () => {
    const { bin } = JSON.parse(textOf('package.json'));
    for (const file of [
      bin.storeport,
      'README.md',
      'LICENSE',
      'docs/commands.md',
      'samples/shopify-products.csv',
      'docs/examples/compose.yaml',
      'docs/examples/storeport-export@.service',
      'docs/examples/storeport-export@.timer',
    ])
      expect(isShipped(normalize(file)), file).toBe(true);
    for (const preset of readdirSync(join(root, 'mappings')))
      expect(isShipped(`mappings/${preset}`)).toBe(true);
  });

  test.each(pages)('has all files that $file links to', ({ file, text }) => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
    const targets = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
    const missing = targets.filter(
      (target) => !/^https?:/.test(target) && !isShipped(normalize(join(dirname(file), target))),
    );
    expect(missing).toEqual([]);
  });

  test.each(pages)('has all files that $file names, except those that it declares as missing', ({ text }) => {
    const own = text.replaceAll(/`[^`]+` \(in the source, not in the\s+package\)/g, '');
    expect(namedIn(own).filter((name) => !isShipped(name))).toEqual([]);
  });

  test('has all pages that messages name', () => {
    const texts = sourcesIn(join(root, 'src')).map((file) => withoutComments(readFileSync(file, 'utf8')));
    const named = texts.flatMap((text) => namedIn(text).filter((name) => /^(docs|samples)\//.test(name)));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !isShipped(name))).toEqual([]);
  });

  test('has no files that only developers need', () => {
    expect([...shipped].filter((file) => /^(test|scripts)\/|(?<!\.d)\.ts$|lock/.test(file))).toEqual([]);
  });

  test('has no switch for the fence of a lease', () => {
    const files = [...shipped].filter((file) => /^dist\/.*js$/.test(file));
    expect(files.filter((file) => textOf(file).includes('for key share'))).toHaveLength(1);
    expect(files.filter((file) => textOf(file).includes('NO_FENCE'))).toEqual([]);
  });
});

/** Names of files and folders of this repository in a text. */
function namedIn(text: string): string[] {
  const paths = [...text.matchAll(/(?<![\w./-])(?:docs|samples|mappings|scripts|src|test)\/[\w./-]*[\w/]/g)];
  const pages = [...text.matchAll(/(?<![\w/])[A-Z]{4,}\.md\b/g)];
  return [...paths, ...pages].map(([name]) => name);
}

function withoutComments(source: string): string {
  return source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

function filesOfPackage(): Set<string> {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  return new Set(files.map(({ path }) => path));
}

function foldersAbove(file: string): string[] {
  const above = dirname(file);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    return entry.name.endsWith('.ts') && existsSync(path) ? [path] : [];
  });
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
