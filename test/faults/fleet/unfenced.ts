import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds a program whose workers do not notice that they lost their lease, and returns its path. */
export function buildWithoutFence(): string {
  const folder = join(root, 'node_modules', '.unfenced');
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-fence', folder], {
    stdio: 'inherit',
  });
  return join(folder, 'storeport.js');
}
