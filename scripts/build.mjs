// Bundles the command line into dist/: one file with the code of every command, and one for each part that is
// loaded later. Bundled, `storeport --help` prints in half the time of the separate modules. Bundles the pages of
// `storeport ui` and `storeport fleet serve` into dist/page/, and the library into dist/library/, as ES modules that
// import their dependencies.
//
// The files of the program are CommonJS, since Node 20 can keep compiled code only of that, and a thread that starts with an
// ES module would search each of them for its exports. esbuild splits only ES modules, so each is converted afterwards.
//
// Makes no source maps: they take two of five seconds of CPU time, the package has none, and the code can be read as it is.
//
// With `--no-fence FOLDER`: makes only a program there whose workers do not notice that they lost their lease. The harness of
// faults must find records that it creates twice. No other build can be made to do so.
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, transform } from 'esbuild';
import { inlinePresets } from './inline-presets.mjs';
import { writeLicences } from './third-party.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { 'no-fence': unfenced } = parseArgs({ options: { 'no-fence': { type: 'string' } } }).values;
const out = unfenced ?? join(root, 'dist');
const FILE_URL = "const __fileUrl = require('node:url').pathToFileURL(__filename).href;";
const plugins = [await inlinePresets(root)];
const common = {
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
};
const ENTRIES = {
  main: 'src/cli/main.ts',
  'fold-worker': 'src/ledger/fold/fold-worker.ts',
  'reader-worker': 'src/pipeline/reader/reader-worker.ts',
  'mapping-worker': 'src/pipeline/blocks/mapping-worker.ts',
};
const program = await build({
  ...common,
  entryPoints: ENTRIES,
  splitting: true,
  write: false,
  outExtension: { '.js': '.cjs' },
  define: {
    'import.meta.url': '__fileUrl',
    'process.env.STOREPORT_NO_FENCE': unfenced === undefined ? 'undefined' : '"1"',
  },
  plugins,
  alias: { 'string-width': './src/cli/output/text-width.ts' },
  // Its binary is chosen when it is loaded, from the package for this platform.
  external: ['libsql'],
  metafile: true,
});
mkdirSync(out, { recursive: true });
const files = await Promise.all(program.outputFiles.map(programFile));
// A file whose name has no hash names chunks of this build, so it comes after them.
files.sort((a, b) => Number(a.isEntry) - Number(b.isEntry));
for (const { name, code } of files) writeWhole(name, code);
const start = await build({
  ...common,
  entryPoints: { storeport: 'src/cli/storeport.ts' },
  metafile: true,
});
if (unfenced !== undefined) process.exit();

/** Another process may be reading the file. */
function writeWhole(name, text) {
  const next = join(out, `${name}.next`);
  writeFileSync(next, text);
  renameSync(next, join(out, name));
}

async function programFile({ path, text }) {
  const name = basename(path);
  const isEntry = basename(path, '.cjs') in ENTRIES;
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    banner: text.includes('__fileUrl') ? FILE_URL : '',
    sourcefile: name,
  });
  // One byte a character, also in comments: such a text is not decoded.
  const ascii = withPlainExports(code).replace(
    /[^\x00-\x7f]/g,
    (at) => `\\u${at.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { name, isEntry, code: ascii };
}

/**
 * esbuild copies the exports behind a second getter, which takes 80 nanoseconds at each use. The mark of an ES module does
 * without a copy. A thread exports nothing.
 */
function withPlainExports(code) {
  const plain = code.replace(
    /^module\.exports = __toCommonJS\((\w+)\);$/m,
    "module.exports = __defProp($1, '__esModule', { value: true });",
  );
  if (plain === code && code.includes('__toCommonJS('))
    throw new Error('esbuild writes exports of CommonJS in another way now');
  return plain;
}

const page = await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/page/main.tsx', fleet: 'src/page/fleet/main.tsx' },
  outdir: join(out, 'page'),
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  logLevel: 'warning',
});
const HTML = ['index.html', 'fleet.html'];
for (const name of HTML) copyFileSync(join(root, 'src/page', name), join(out, 'page', name));

const library = await build({
  ...common,
  outdir: join(out, 'library'),
  entryPoints: { index: 'src/library/index.ts', sandbox: 'src/library/sandbox.ts' },
  splitting: true,
  packages: 'external',
  plugins,
  metafile: true,
});

const builds = [program, start, page, library];
writeLicences(
  join(root, 'THIRD-PARTY-LICENSES'),
  root,
  builds.map(({ metafile }) => metafile),
);

// Names of chunks depend on their content. Old chunks are removed last, so that the command works at any moment
// of a build.
removeOthers(out, [
  ...files.map(({ name }) => name),
  ...Object.keys(start.metafile.outputs),
  'page',
  'library',
]);
removeOthers(join(out, 'library'), [...Object.keys(library.metafile.outputs), 'index.d.ts', 'sandbox.d.ts']);
removeOthers(join(out, 'page'), [...Object.keys(page.metafile.outputs), ...HTML]);

function removeOthers(folder, made) {
  const names = new Set(made.map((file) => basename(file)));
  for (const file of readdirSync(folder))
    if (!names.has(file)) rmSync(join(folder, file), { recursive: true });
}
