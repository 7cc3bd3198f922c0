// Bundles the command line into dist/: one file with the code of every command, and one for each part that is
// loaded later. Bundled, `storeport --help` prints in half the time of the separate modules. Bundles the page of
// `storeport ui` into dist/page/.
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    storeport: 'src/cli/storeport.ts',
    'fold-worker': 'src/ledger/fold/fold-worker.ts',
    'reader-worker': 'src/pipeline/reader/reader-worker.ts',
  },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
  alias: { 'string-width': './src/cli/output/text-width.ts' },
  // Its binary is chosen when it is loaded, from the package for this platform.
  external: ['libsql'],
  // CommonJS modules in the bundle still call require for the modules of Node.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

const page = await build({
  absWorkingDir: root,
  entryPoints: ['src/page/main.tsx'],
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
copyFileSync(join(root, 'src/page/index.html'), join(out, 'page/index.html'));

// Names of chunks depend on their content. Old chunks are removed last, so that the command works at any moment
// of a build.
removeOthers(out, [...Object.keys(metafile.outputs), 'page']);
removeOthers(join(out, 'page'), [...Object.keys(page.metafile.outputs), 'index.html']);

function removeOthers(folder, made) {
  const names = new Set(made.map((file) => basename(file)));
  for (const file of readdirSync(folder))
    if (!names.has(file)) rmSync(join(folder, file), { recursive: true });
}
