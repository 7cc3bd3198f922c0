// Proves by the store's own journal what the ledger promises, on the built command and against the sandbox. Not part of
// the tests, since it takes minutes; test/cli/kills.test.ts, sync-order.test.ts and disk-faults.test.ts are its short form.
//
//   node scripts/faults.mjs order                       each create is written to its socket after its intent was
//                                                       synced to disk, by the system calls that strace sees
//   node scripts/faults.mjs random [--runs 200] [--seed 1]
//                                                       imports of 2,000 records, killed at random moments, and many
//                                                       of those that go on with them too
//   node scripts/faults.mjs every [--call pwrite64 --from 1 --to 20]
//                                                       an import of 30 records, killed before each single write, sync,
//                                                       removal and renaming, SQLite's own too; the same for resuming one
//
// After each kill the run is resumed until it ends. Then no key may be in the store twice, none may be lost, no more may be
// in doubt than were under way, the books must balance, and importing the file again must make nothing.
// Prints a table; exits with 1 where something is wrong, and says how to repeat it.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'node_modules', '.faults');
function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

node('scripts/build.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['test/faults/main.ts'],
  outdir: built,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  packages: 'external',
});
node(join(built, 'main.js'), ...process.argv.slice(2));
