// Builds the command line and the benchmark's own programs, and runs the benchmark. See test/bench/bench.ts.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'node_modules', '.bench');
function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

node('scripts/build.mjs');
await build({
  absWorkingDir: root,
  entryPoints: [
    'test/bench/bench.ts',
    ...readdirSync(join(root, 'test/bench/children')).map((file) => `test/bench/children/${file}`),
  ],
  outdir: built,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  // Libraries as they are installed, as a script would use them.
  packages: 'external',
});
node(join(built, 'bench.js'), ...process.argv.slice(2));
