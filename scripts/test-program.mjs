// Bundles programs from the test folder, beside the command line, and runs the first of them.
import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** `folder`: target of the bundles, below node_modules. The arguments of the script are passed to the program. */
export async function runTestProgram(folder, entryPoints, options = {}) {
  const built = join(root, 'node_modules', folder);
  node('scripts/build.mjs');
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: built,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    // Installed libraries, as in a script of a user.
    packages: 'external',
    ...options,
  });
  node(join(built, `${basename(entryPoints[0], '.ts')}.js`), ...process.argv.slice(2));
}
